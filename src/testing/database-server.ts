import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedServer, startEmbedded } from "../db/embedded.ts";

/**
 * One real PostgreSQL for all test files of a run: started by the runner (`--test-global-setup`), found by the files through
 * the environment. A file that is run alone has one of its own.
 */
const VARIABLE = "AFARA_TEST_SERVER";

let server: TestServer | undefined;

export async function globalSetup(): Promise<void> {
  server = await startTestServer();
  process.env[VARIABLE] = JSON.stringify(server.connection);
}

export async function globalTeardown(): Promise<void> {
  await server?.remove();
}

export interface TestServer extends EmbeddedServer {
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** By process, so that runs beside each other, of one checkout or of several, do not share it. */
export async function startTestServer(): Promise<TestServer> {
  const directory = join(tmpdir(), `afara-test-${process.pid}`);
  const started = await startEmbedded(directory, { progress: () => undefined });
  return {
    ...started,
    async remove() {
      await started.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export const runningTestServer = (): string | undefined => process.env[VARIABLE];
