import { createHash } from "node:crypto";

/** Codes of a second factor that were used are kept in this form alone. */
export const hashOfCode = (code: string): string => createHash("sha256").update(code).digest("base64url");
