import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type pg from "pg";

/** Stands between a gateway and its PostgreSQL and can lose what the server answers. */
export interface DatabaseProxy {
  readonly url: string;
  /** The next `times` statements with this in them are passed on, run and committed; their answers never arrive. */
  loseAnswers(marker: string, times: number): void;
  /** How many answers have been lost. */
  readonly lost: number;
  /** While true nobody is let in and everybody is put out. */
  setClosed(isClosed: boolean): void;
  /** Closes by itself right after the next lost answer. */
  closeAfterLoss(): void;
  stop(): Promise<void>;
}

export async function startDatabaseProxy({ host, port, user, database }: pg.ClientConfig): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let marker = "";
  let left = 0;
  let lost = 0;
  let isClosed = false;
  let closesAfterLoss = false;

  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((client) => {
    if (isClosed) return client.destroy();
    const upstream = connect(join(String(host), `.s.PGSQL.${port}`));
    let losesNext = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (bytes) => {
      // A prepared statement's name is in its Bind message, so the name is found at every call.
      if (left > 0 && bytes.includes(marker)) {
        left -= 1;
        losesNext = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!losesNext) return client.write(bytes);
      // An answer follows the commit: what is dropped here happened.
      lost += 1;
      client.destroy();
      if (!closesAfterLoss) return;
      isClosed = true;
      closesAfterLoss = false;
      closeAll();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy does not listen");

  return {
    url: `postgres://${user}@127.0.0.1:${address.port}/${database}`,
    loseAnswers(text, times) {
      marker = text;
      left = times;
    },
    get lost() {
      return lost;
    },
    setClosed(closed) {
      isClosed = closed;
      if (closed) closeAll();
    },
    closeAfterLoss() {
      closesAfterLoss = true;
    },
    async stop() {
      closeAll();
      server.close();
      await once(server, "close");
    },
  };
}
