import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { makePeopleRig, newEmail } from "../testing/people-rig.ts";
import { writeTestConfig } from "../testing/test-config.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db, { file: { signUp: "approval" } });
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

async function newAccount(): Promise<string> {
  const { json } = await afara(["account", "create", "--name", "Ikoyi Foods", "--json"]);
  return json<{ id: string }>().id;
}

test("the operator invites somebody to an account, who joins it, gets another role, and is removed", async () => {
  const account = await newAccount();
  const email = newEmail();
  const invited = await afara([
    "members",
    "invite",
    "--account",
    account,
    "--email",
    email,
    "--role",
    "owner",
    "--json",
  ]);
  const { id, link } = invited.json<{ id: string; link: string }>();
  assert.equal(await rig.linkTo(email), link);

  const browser = rig.browser();
  await browser.post("/sign-up/email", { name: "Obi", email, password: "swift otters climb 7 hills" });
  await browser.follow(await rig.linkTo(email, 2));
  await browser.session();
  assert.equal((await browser.post("/organization/accept-invitation", { invitationId: id })).status, 200);

  const list = async () =>
    (await afara(["members", "list", "--account", account, "--json"])).json<{ members: { role: string }[] }>().members;
  assert.partialDeepStrictEqual(await list(), [{ email, name: "Obi", role: "owner" }]);
  const of = ["--account", account, "--email", email];
  const last = await afara(["members", "role", ...of, "--role", "viewer"]);
  assert.equal(last.code, 1);
  assert.match(last.out, /needs an owner/);
  assert.equal((await afara(["members", "remove", ...of])).code, 1);
  assert.equal((await list())[0]?.role, "owner");
  const { rows } = await db.query("select actor_kind, actor from audit_log where action = 'member.invite'");
  assert.deepEqual(rows, [{ actor_kind: "operator", actor: "ada" }]);
});

test("an invitation is listed and taken back by its address", async () => {
  const account = await newAccount();
  const of = ["--account", account, "--email", "GUEST@example.com"];
  assert.equal((await afara(["members", "invite", ...of, "--role", "viewer"])).code, 0);
  assert.match(
    (await afara(["members", "list", "--account", account])).out,
    /guest@example\.com +viewer +invited until/,
  );
  assert.equal((await afara(["members", "remove", ...of])).code, 0);
  assert.match((await afara(["members", "list", "--account", account])).out, /no members yet/);
  assert.equal((await afara(["members", "remove", ...of])).code, 1);
});

test("whoever waits for approval is listed, let in, or forgotten", async () => {
  const [welcome, refused] = [newEmail(), newEmail()];
  for (const email of [welcome, refused]) {
    const browser = rig.browser();
    await browser.post("/sign-up/email", { name: "Chi", email, password: "swift otters climb 7 hills" });
    await browser.follow(await rig.linkTo(email));
  }
  const { out } = await afara(["signups", "list"]);
  assert.ok(out.includes(welcome) && out.includes(refused));
  assert.equal((await afara(["signups", "approve", welcome])).code, 0);
  assert.equal((await afara(["signups", "refuse", refused])).code, 0);
  assert.equal((await afara(["signups", "approve", welcome])).code, 1);
  const browser = rig.browser();
  assert.equal((await browser.signIn(welcome)).status, 200);
  assert.equal((await browser.session()).accounts.length, 1);
  assert.match((await rig.mailsTo(welcome))[0]!.subject, /can sign in/);
  assert.equal((await rig.browser().signIn(refused)).status, 401);
});

test("an address that is none, and a role that is none, are said before anything is done", async () => {
  const account = await newAccount();
  assert.equal((await afara(["members", "invite", "--account", account, "--email", "ada", "--role", "owner"])).code, 2);
  const of = ["--account", account, "--email", "a@b.ng"];
  assert.equal((await afara(["members", "invite", ...of, "--role", "admin"])).code, 2);
});
