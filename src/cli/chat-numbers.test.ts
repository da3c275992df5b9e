import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { writeTestConfig } from "../testing/test-config.ts";

const database = await makeTestDatabase();
const db = database.open();
const data = await makeDataDir();
after(() => data.remove());
const config = await writeTestConfig(data.dir, (own) => ({
  ...own,
  providers: {
    ...own.providers,
    "whatsapp-cloud": {
      adapter: "whatsapp-cloud",
      settings: {
        accessToken: "a",
        appSecret: "b",
        verifyToken: "c",
        wabaId: "1",
        numbers: [{ phoneNumberId: "2", number: "+2347000000009" }],
      },
    },
  },
  routes: [
    ...own.routes,
    { provider: "whatsapp-cloud", service: "chat", modes: ["live"], window: 10, ratePerSecond: 80 },
  ],
}));
const afara = makeCli({
  AFARA_DATA_DIR: data.dir,
  AFARA_CONFIG: config.path,
  DATABASE_URL: database.url,
  USER: "ada",
});
const [first, second] = [newUuid(), newUuid()];
for (const [index, id] of [first, second].entries()) await insertAccount(db, { id, name: `Account ${index}` });
const [ada, bola] = [encodeId("acc", first), encodeId("acc", second)];
const assign = (account: string, provider = "whatsapp-cloud") =>
  afara([
    "chat-numbers",
    "assign",
    "--account",
    account,
    "--number",
    "+2347000000009",
    "--provider",
    provider,
    "--json",
  ]);

test("a chat number is one account's until it is taken back, in the mode of its provider, and all of it is in the audit log", async () => {
  const given = await assign(ada);
  assert.equal(given.code, 0);
  assert.deepEqual(given.json(), {
    ok: true,
    number: "+2347000000009",
    mode: "live",
    provider: "whatsapp-cloud",
    account: ada,
  });
  const again = await assign(bola);
  assert.equal(again.code, 1);
  assert.equal(again.json<{ account: string }>().account, ada);
  const { numbers } = (await afara(["chat-numbers", "list", "--json"])).json<{ numbers: { account: string }[] }>();
  assert.deepEqual(
    numbers.map(({ account }) => account),
    [ada],
  );

  const release = ["chat-numbers", "release", "--number", "+2347000000009", "--mode", "live", "--json"];
  assert.equal((await afara(release)).code, 0);
  assert.equal((await afara(release)).code, 1);
  assert.equal((await assign(bola)).code, 0);
  const { rows } = await db.query<{ action: string }>("select action from audit_log order by number");
  assert.deepEqual(
    rows.map(({ action }) => action),
    ["chat_number.assign", "chat_number.release", "chat_number.assign"],
  );
});

test("a provider without a route for chat, an account that is not there and what is no number are told", async () => {
  assert.equal((await assign(ada, "smsc-simulator")).code, 2);
  assert.equal((await assign(encodeId("acc", newUuid()), "whatsapp-simulator")).code, 2);
  const { code } = await afara([
    "chat-numbers",
    "assign",
    "--account",
    ada,
    "--number",
    "0803",
    "--provider",
    "whatsapp-cloud",
  ]);
  assert.equal(code, 2);
});

test("a number that the provider's settings don't have is no number to be given", async () => {
  const args = [
    "chat-numbers",
    "assign",
    "--account",
    ada,
    "--number",
    "+2347000000019",
    "--provider",
    "whatsapp-cloud",
  ];
  const { code, err } = await afara(args);
  assert.deepEqual(
    [code, /\+2347000000019 is not among the numbers of "whatsapp-cloud".*: \+2347000000009\./.test(err)],
    [2, true],
    err,
  );
});
