import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { waitFor } from "../testing/wait-for.ts";
import { listen } from "./listen.ts";

const database = await makeTestDatabase();
const db = database.open();
let heard = 0;
const warnings: string[] = [];
const listener = listen({
  connection: database.connection,
  channel: "of the test",
  log: { ...SILENT, warn: (_fields, message) => warnings.push(message) },
  heard: () => {
    heard += 1;
  },
});
after(() => listener.close());

const sessions = async () =>
  (await db.query<{ pid: number }>("select pid from pg_stat_activity where query = 'listen \"of the test\"'")).rows;
const announce = () => db.query("select pg_notify('of the test', '')");

test("an announcement is heard, and one of another channel is not", async () => {
  await waitFor("the first connect", async () => heard === 1);
  await announce();
  await waitFor("the announcement", async () => heard === 2);
  await db.query("select pg_notify('another', '')");
  await announce();
  await waitFor("the next", async () => heard === 3);
});

test("a connection that breaks is made anew, and what may have been missed counts as heard", async () => {
  const [session] = await sessions();
  const before = heard;
  await db.query("select pg_terminate_backend($1)", [session!.pid]);
  await waitFor("the reconnect", async () => heard === before + 1);
  assert.equal(warnings.length, 1);
  await announce();
  await waitFor("an announcement on the new connection", async () => heard === before + 2);
});

test("a database that is away is asked again and again without a failure, and closing ends it", async () => {
  const said: string[] = [];
  const away = listen({
    connection: { host: "127.0.0.1", port: 9, user: "nobody", database: "none" },
    channel: "any",
    log: { ...SILENT, warn: (_fields, message) => said.push(message) },
    heard: () => assert.fail("nothing was announced"),
  });
  await waitFor("two tries", async () => said.length >= 2);
  await away.close();
});

test("closing gives the session back", async () => {
  await listener.close();
  await waitFor("no session", async () => (await sessions()).length === 0);
});
