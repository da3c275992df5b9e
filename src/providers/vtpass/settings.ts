import { ok, type Result, refuse } from "../../kernel/result.ts";
import { SettingsReader } from "../settings-reader.ts";

/** Everything an operator can set for one VTpass account. Each is explained in docs/providers/vtpass.md. */
export interface VtpassSettings {
  /** Without `/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** For a whole call: until its last byte. */
  readonly responseTimeoutMs: number;
  /** How long after “likely duplicate” (019) the same may be bought again. */
  readonly duplicateWaitMs: number;
  /** Part of the callback's path that nobody can guess; empty: none. */
  readonly callbackSecret: string;
}

/** Checks the whole object: either complete settings, or every fault with what to write instead. */
export function readSettings(input: unknown): Result<VtpassSettings, readonly string[]> {
  const read = new SettingsReader(input);
  const settings: VtpassSettings = {
    baseUrl: read.baseUrl("baseUrl", "https://vtpass.com"),
    apiKey: read.text("apiKey", { max: 200, charset: HEADER, what: "the account's static API key" }),
    publicKey: read.text("publicKey", { max: 200, charset: HEADER, what: "the key that begins with PK_" }),
    secretKey: read.text("secretKey", { max: 200, charset: HEADER, what: "the key that begins with SK_" }),
    responseTimeoutMs: read.integer("responseTimeoutMs", { min: 100, max: 300_000, fallback: 60_000 }),
    duplicateWaitMs: read.integer("duplicateWaitMs", { min: 100, max: 600_000, fallback: 30_000 }),
    callbackSecret: read.text("callbackSecret", { max: 100, fallback: "", charset: PATH_SEGMENT }),
  };
  const faults = read.faults();
  return faults.length === 0 ? ok(settings) : refuse(faults);
}

const HEADER = { allowed: /^[\x21-\x7e]*$/, fault: "must be printable ASCII without spaces" };
const PATH_SEGMENT = { allowed: /^[\w-]*$/, fault: "must be letters, digits, - and _: it is a part of a path" };
