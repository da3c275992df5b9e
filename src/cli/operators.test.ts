import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { makePeopleRig, tokenOf } from "../testing/people-rig.ts";
import { writeTestConfig } from "../testing/test-config.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
const data = await makeDataDir();
const config = await writeTestConfig(data.dir);
after(async () => {
  await rig.part.close();
  await data.remove();
});
const afara = makeCli({
  AFARA_DATA_DIR: data.dir,
  AFARA_CONFIG: config.path,
  DATABASE_URL: database.url,
  USER: "ada",
});

test("the link that the command shows makes its person an operator, who is listed and removed", async () => {
  const browser = rig.browser();
  const { email } = await browser.join();
  assert.match((await afara(["operator", "list"])).out, /Nobody yet/);
  const invited = await afara(["operator", "invite", email.toUpperCase(), "--json"]);
  const { link } = invited.json<{ link: string }>();
  assert.equal(new URL(link).pathname, "/portal/operator");
  assert.match((await afara(["operator", "list"])).out, new RegExp(`${email} +invited +until`));
  assert.equal((await browser.post("/operator/accept", { token: tokenOf(link) })).status, 204);
  assert.match((await afara(["operator", "list"])).out, /has no second factor/);
  assert.match((await afara(["operator", "invite", email])).out, /is an operator already/);
  const { rows } = await db.query("select actor from audit_log where action = 'operator.invite'");
  assert.deepEqual(rows, [{ actor: "ada" }]);

  assert.equal((await afara(["operator", "remove", email])).code, 0);
  assert.equal((await afara(["operator", "remove", email])).code, 1);
  assert.equal((await afara(["operator", "invite", "ada"])).code, 2);
});
