import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { type Creation, TestPasskey } from "../testing/passkey.ts";
import { LOCAL_ORIGIN, makePeopleRig, tokenOf } from "../testing/people-rig.ts";
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
  assert.match((await afara(["operator", "list"])).out, /no second factor yet/);
  assert.match((await afara(["operator", "invite", email])).out, /is an operator already/);
  const { rows } = await db.query("select actor from audit_log where action = 'operator.invite'");
  assert.deepEqual(rows, [{ actor: "ada" }]);

  assert.match((await afara(["operator", "remove", email])).out, /is no operator any more/);
  assert.equal((await afara(["operator", "remove", email])).code, 1);
  assert.equal((await afara(["operator", "invite", "ada"])).code, 2);

  assert.match((await afara(["operator", "invite", email])).out, /needs a passkey, or a second factor/);
  assert.match((await afara(["operator", "remove", email])).out, /invitation of .* is withdrawn/);
});

test("the owner of a local account is listed there, and on no gateway in production", async () => {
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Local" });
  const owner = rig.browser();
  await owner.follow(`${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`);
  await owner.session();
  const listed = async () => (await afara(["operator", "list"])).out;
  assert.match(await listed(), /the owner of the local account +has no passkey and no second factor yet/);
  const { body } = await owner.post<{ options: Creation }>("/passkey/generate-register-options");
  const made = new TestPasskey(LOCAL_ORIGIN).made(body.options);
  await owner.post("/passkey/verify-registration", { name: "Phone", ...made });
  assert.match(await listed(), /the owner of the local account +operator/);
  const production = makeCli({
    AFARA_ENV: "production",
    AFARA_SECRET: "a secret of the tests that is long enough",
    AFARA_DATA_DIR: data.dir,
    AFARA_CONFIG: config.path,
    DATABASE_URL: database.url,
    USER: "ada",
  });
  assert.match((await production(["operator", "list"])).out, /Nobody yet/);
});
