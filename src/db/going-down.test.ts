import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { SILENT } from "../testing/database.ts";
import { AnswerLost, DatabaseUnable, openDatabase } from "./database.ts";

/**
 * A server in the little of PostgreSQL's protocol that it takes: each statement that begins with `fatal` is answered with the error of a
 * full disk. Source: PostgreSQL, “Frontend/Backend Protocol”, message formats.
 */

const message = (type: string, ...parts: readonly (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const READY = message("Z", "I");
const DONE = Buffer.concat([message("C", "SELECT 0\0"), READY]);
const FULL = message("E", "SPANIC\0", "C53100\0", "MNo space left on device\0", "\0");

async function serverThat(t: TestContext, answersFatal: (socket: Socket) => void, fatal: string) {
  const server = createServer((socket) => {
    let isStarted = false;
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      if (!isStarted) {
        isStarted = true;
        socket.write(Buffer.concat([message("R", Buffer.alloc(4)), READY]));
      } else if (data.toString("latin1", 5).startsWith(fatal)) answersFatal(socket);
      else socket.write(DONE);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const connection = { host: "127.0.0.1", port, user: "a", database: "a" };
  const db = openDatabase({ connection, connections: 1, connectTimeoutMs: 5_000, log: SILENT });
  t.after(async () => {
    await db.close();
    await new Promise((resolve) => server.close(resolve));
  });
  return db;
}

const goesDown = (socket: Socket) => void socket.end(FULL);
const livesOn = (socket: Socket) => void socket.write(Buffer.concat([FULL, READY]));

test("an error for want of room from a server that lives on is certain: nothing was done", async (t) => {
  const db = await serverThat(t, livesOn, "store");
  await assert.rejects(db.query("store"), DatabaseUnable);
  await db.query("select");
});

test("from a server that goes down over it, it is a lost answer: what was refused may be in its log", async (t) => {
  const db = await serverThat(t, goesDown, "store");
  await assert.rejects(db.query("store"), AnswerLost);
  await db.query("select");
});

test("so it is in the commit of a transaction", async (t) => {
  const db = await serverThat(t, goesDown, "commit");
  await assert.rejects(
    db.transaction(async (tx) => tx.query("select")),
    AnswerLost,
  );
});

test("and before that commit certainly nothing was done", async (t) => {
  const db = await serverThat(t, goesDown, "store");
  await assert.rejects(
    db.transaction(async (tx) => tx.query("store")),
    (error) => error instanceof Error && !(error instanceof AnswerLost) && error.constructor.name === "DatabaseAway",
  );
});
