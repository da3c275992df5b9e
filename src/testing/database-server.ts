import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedServer, startEmbedded } from "../db/embedded.ts";

/**
 * One real PostgreSQL for all test files of a run: started by the runner (`--test-global-setup`), found by the files through
 * the environment. A file that is run alone starts it itself and stops it at its end.
 */
const VARIABLE = "AFARA_TEST_SERVER";

let server: EmbeddedServer | undefined;

export async function globalSetup(): Promise<void> {
  server = await startTestServer();
  process.env[VARIABLE] = JSON.stringify(server.connection);
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}

export function startTestServer(): Promise<EmbeddedServer> {
  // By checkout, so that two clones on one machine do not share it.
  const place = createHash("sha256").update(import.meta.filename).digest("hex").slice(0, 8);
  return startEmbedded(join(tmpdir(), `afara-test-${place}`), { progress: () => undefined });
}

export const runningTestServer = (): string | undefined => process.env[VARIABLE];
