import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { LOCAL_ORIGIN, makePeopleRig } from "../testing/people-rig.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
const secure = await makePeopleRig(database, db, {
  isLocal: false,
  publicUrl: "https://portal.example.ng",
  mail: { smtpUrl: "smtp://127.0.0.1:1", from: "portal@example.ng" },
});
after(() => Promise.all([rig.part.close(), secure.part.close()]));

async function newAccount() {
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Local" });
  return accountId;
}

test("the link of a local gateway signs in the owner of its account, once", async () => {
  const accountId = await newAccount();
  const link = `${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`;
  const browser = rig.browser();
  const entered = await browser.follow(link);
  assert.deepEqual([entered.status, entered.headers.location], [302, "/portal/"]);
  assert.partialDeepStrictEqual(await browser.session(), {
    person: { name: "Owner", email: "owner@localhost.invalid" },
    accounts: [{ id: encodeId("acc", accountId), role: "owner" }],
  });
  assert.equal((await browser.post("/sign-out", {})).status, 200, "it is a session like any other, to the library too");

  const again = rig.browser();
  assert.equal((await again.follow(link)).headers.location, "/portal/sign-in?error=local_link_not_valid");
  assert.equal((await again.session()).person, null);
});

test("of two links of a local gateway the newer one works", async () => {
  const accountId = await newAccount();
  const [older, newer] = [
    `${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`,
    `${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`,
  ];
  assert.match(String((await rig.browser().follow(older)).headers.location), /error=local_link_not_valid/);
  assert.equal((await rig.browser().follow(newer)).headers.location, "/portal/");
});

test("the address of a local gateway's owner can be had by nobody else: not by sign-up, not by a mail", async () => {
  for (const [path, body] of [
    ["/sign-up/email", { name: "A", email: "owner@localhost.invalid", password: "swift otters climb 7 hills" }],
    ["/request-password-reset", { email: "owner@localhost.invalid" }],
    ["/request-password-reset", { email: "Owner@LocalHost.INVALID" }],
  ] as const)
    assert.equal((await rig.browser().post(path, body)).status, 400);
});

test("in production there is no such link", async () => {
  const accountId = await newAccount();
  await assert.rejects(secure.part.localLink(accountId));
  const link = `${LOCAL_ORIGIN}${await rig.part.localLink(accountId)}`;
  assert.equal((await secure.browser().follow(link)).status, 404);
});

test("mails and the link of a local gateway are for this machine's browser, wherever else the portal is reached", async () => {
  const tunnelled = await makePeopleRig(database, db, { publicUrl: "http://portal.example.ng" });
  const accountId = await newAccount();
  for (const headers of [
    {},
    { host: "rebound.example" },
    { host: "localhost:8080", "x-forwarded-for": "203.0.113.9" },
    { host: "localhost:8080", "x-forwarded-host": "portal.example.ng" },
    { host: "localhost:8080", forwarded: "for=203.0.113.9" },
  ]) {
    for (const url of ["/portal/api/outbox", await tunnelled.part.localLink(accountId)]) {
      const answered = await tunnelled.browser().ask("GET", url, undefined, headers);
      assert.partialDeepStrictEqual(
        answered.body,
        { status: 403, code: "cross_site_request" },
        JSON.stringify(headers),
      );
      assert.deepEqual(answered.setCookies, []);
    }
  }
  const own = await tunnelled.browser().ask("GET", "/portal/api/outbox", undefined, { host: "localhost:8080" });
  assert.equal(own.status, 200);
  await tunnelled.part.close();
});
