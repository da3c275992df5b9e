import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { makeCli } from "../../src/testing/cli.ts";
import { makeDataDir, removesDataDir } from "../../src/testing/data-dir.ts";
import { startGateway } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { isRunning, postgresOf } from "./program.ts";

test("an embedded gateway is saved while it runs and while it does not, thrown away, and put back", async (t) => {
  const data = await makeDataDir("start");
  const dir = join(data.dir, "data of a gateway");
  t.after(removesDataDir(dir));
  t.after(data.remove);
  const file = (name: string) => join(data.dir, name);
  const afara = makeCli({ AFARA_DATA_DIR: dir });
  const nothing = await afara(["where", "--json"]);
  assert.deepEqual([nothing.code, nothing.json().installation], [0, null]);
  assert.deepEqual(readdirSync(dir), [], "a look makes nothing");
  assert.match((await afara(["backup", file("none")])).err, /There is no database in /);

  const first = await startGateway({ dataDir: dir });
  const { directory } = await postgresOf(dir);
  const { body } = await first.call<{ id: string }>("POST", "/sms/send", { to: "08031234567", message: "Kept" });
  const isDelivered = async () => (await first.call("GET", `/sms/status/${body.id}`)).body.status === "delivered";
  await waitFor("it is delivered", isDelivered);
  assert.match((await afara(["reset", "--yes"])).out, /A gateway uses .*stop it first/);
  const whileRunning = await afara(["backup", file("running"), "--json"]);
  assert.equal(whileRunning.code, 0, whileRunning.err);
  assert.equal(isRunning(directory), true, "the gateway's server goes on");
  assert.equal(await first.stop(), 0);

  const whileStopped = await afara(["backup", file("stopped"), "--json"]);
  assert.equal(whileStopped.code, 0, whileStopped.err);
  assert.equal(isRunning(directory), false, "and one that was started for the backup is stopped again");
  const { installation: id, orders } = whileRunning.json();
  assert.deepEqual([whileStopped.json().installation, whileStopped.json().orders], [id, orders]);

  const told = (await afara(["where", "--json"])).json<{
    installation: string;
    database: { place: string; running: boolean };
  }>();
  assert.deepEqual([told.database.place, told.database.running], [dirname(directory), false]);
  assert.match((await afara(["restore", file("stopped")])).out, /is not empty .*mv '/);
  assert.match(
    (await afara(["reset"], { AFARA_ENV: "production", AFARA_SECRET: "x".repeat(32) })).out,
    /AFARA_ENV is production, so name it explicitly/,
  );
  const reset = await afara(["reset", "--yes"]);
  assert.equal(reset.code, 0, reset.out + reset.err);
  assert.ok(reset.out.includes(`the database in ${dirname(directory)}`), reset.out);
  assert.match(reset.out, / MB; 1 orders, 1 accounts\)/);
  assert.deepEqual(readdirSync(dir), []);
  assert.equal(existsSync(directory), false);

  const back = await afara(["restore", file("stopped"), "--json"]);
  assert.equal(back.code, 0, back.out + back.err);
  const { installation, ledger } = back.json<{ installation: string; ledger: { ok: boolean } }>();
  assert.deepEqual([installation, ledger.ok], [told.installation, true]);
  assert.equal(existsSync(join(dir, "restoring")), false);

  const next = await startGateway({ dataDir: dir, environment: { AFARA_TEST_KEY: "" } });
  assert.equal(
    (await next.call("GET", `/sms/status/${body.id}`)).body.status,
    "delivered",
    "the key and the order of before",
  );
  assert.equal((await next.call("POST", "/sms/send", { to: "08031234567", message: "goes on" })).status, 202);
  assert.equal(JSON.parse(readFileSync(join(dir, "installation"), "utf8")).id, installation);
  assert.equal(await next.stop(), 0);
});
