import pg from "pg";
import type { Log } from "../kernel/log.ts";
import type { EmbeddedServer } from "./embedded.ts";

/**
 * Keeps the embedded server running. A dedicated idle connection reveals immediately that the server has died (killed, out of
 * memory): it is then restarted, and the gateway continues with what was committed.
 */
export interface EmbeddedGuard {
  /** Stops watching, before an intended stop of the server. */
  stop(): Promise<void>;
}

const AGAIN_MS = 1_000;

export async function guardEmbedded(
  server: Pick<EmbeddedServer, "connection" | "revive">,
  log: Log,
): Promise<EmbeddedGuard> {
  let stopped = false;
  let idle: pg.Client | undefined;
  let reviving = Promise.resolve();

  const hold = async (): Promise<void> => {
    const client = new pg.Client({ ...server.connection, application_name: "afara guard" });
    client.on("error", () => undefined); // `end` follows
    await client.connect();
    idle = client;
    client.once("end", () => {
      if (!stopped) reviving = revive();
    });
  };

  const revive = async (): Promise<void> => {
    log.warn({}, "the connection to the embedded database broke; looking whether it must be started again");
    while (!stopped) {
      try {
        await server.revive();
        await hold();
        log.info({}, "the embedded database runs");
        return;
      } catch (error) {
        log.error({ error: (error as Error).message }, "the embedded database does not start; trying again");
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };

  await hold();
  return {
    async stop() {
      stopped = true;
      await reviving;
      await idle?.end().catch(() => undefined);
    },
  };
}
