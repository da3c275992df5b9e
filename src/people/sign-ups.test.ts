import assert from "node:assert/strict";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { GOOD_PASSWORD, makePeopleRig, newEmail } from "../testing/people-rig.ts";
import { makeMembers } from "./members.service.ts";
import { awaitingApproval } from "./people.repo.ts";
import { makeSignUps, signUpRuleOf } from "./sign-ups.ts";

const database = await makeTestDatabase();
const db = database.open();
const invitation = await makePeopleRig(database, db, { file: { signUp: "invitation" } });
const approval = await makePeopleRig(database, db, { file: { signUp: "approval" } });
after(() => Promise.all([invitation.part.close(), approval.part.close()]));

const OPERATOR = { kind: "operator", name: "ada" } as const;
const { clock } = invitation;
const members = makeMembers({ db, clock });
const config = { services: {}, playMoney: "1000.00" };
const decide = makeSignUps({ db, clock, config, rule: "approval" });

async function invite(email: string) {
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Ikoyi Foods" });
  const invited = await members.invite({ operator: OPERATOR }, accountId, email, "finance");
  assert.ok(invited.ok);
  return invited.value;
}

test("anybody may sign up on a local gateway, and in production who is invited, unless the operator says otherwise", () => {
  assert.equal(signUpRuleOf({}, true), "open");
  assert.equal(signUpRuleOf({}, false), "invitation");
  assert.equal(signUpRuleOf({ signUp: "approval" }, false), "approval");
});

test("by invitation, an address without one is answered like any other, and nothing is stored or mailed", async () => {
  const [stranger, guest] = [newEmail(), newEmail()];
  await invite(guest);
  const wish = (email: string) => ({ name: "Ada", email, password: GOOD_PASSWORD });
  const toGuest = await invitation.browser().post("/sign-up/email", wish(guest));
  const toStranger = await invitation.browser().post("/sign-up/email", wish(stranger));
  assert.deepEqual([toStranger.status, toStranger.text], [toGuest.status, toGuest.text]);
  await invitation.linkTo(guest);
  assert.deepEqual(await invitation.mailsTo(stranger), []);
  assert.equal((await db.query("select 1 from auth_people where email = $1", [stranger])).rowCount, 0);
});

test("by invitation, a person gets no account of their own, and joins the one they are invited to", async () => {
  const email = newEmail();
  const { id, accountId } = await invite(email);
  const browser = invitation.browser();
  await browser.post("/sign-up/email", { name: "Obi", email, password: GOOD_PASSWORD });
  await browser.follow(await invitation.linkTo(email));
  assert.deepEqual((await browser.session()).accounts, []);
  const listed = await browser.get<{ data: readonly { id: string; role: string }[] }>(
    "/organization/list-user-invitations",
  );
  assert.partialDeepStrictEqual(listed.body.data, [{ role: "finance", account: { name: "Ikoyi Foods" } }]);
  const accepted = await browser.post("/organization/accept-invitation", { invitationId: listed.body.data[0]!.id });
  assert.equal(accepted.status, 200);
  assert.partialDeepStrictEqual(await browser.session(), { accounts: [{ name: "Ikoyi Foods", role: "finance" }] });
  assert.ok(id && accountId);
});

test("by approval, a person whose address is confirmed waits, and has an account once the operator approves", async () => {
  const browser = approval.browser();
  const email = newEmail();
  await browser.post("/sign-up/email", { name: "Chi", email, password: GOOD_PASSWORD });
  const followed = await browser.follow(await approval.linkTo(email));
  assert.equal(followed.headers.location, "/portal/sign-in?error=awaiting_approval");
  assert.partialDeepStrictEqual((await browser.signIn(email)).body, { status: 403, code: "awaiting_approval" });
  assert.equal((await browser.signIn(email, "some other password")).status, 401);
  assert.deepEqual(
    (await awaitingApproval(db)).map((person) => person.email),
    [email],
  );

  assert.ok(await decide.approve(OPERATOR, email));
  assert.equal(await decide.approve(OPERATOR, email), undefined, "nobody waits any more");
  assert.equal((await browser.signIn(email)).status, 200);
  assert.partialDeepStrictEqual(await browser.session(), { accounts: [{ name: "Chi", role: "owner" }] });
});

test("by approval, whom the operator refuses is forgotten, and whom an account invites need not wait", async () => {
  const [refused, guest] = [newEmail(), newEmail()];
  await invite(guest);
  for (const email of [refused, guest]) {
    const browser = approval.browser();
    await browser.post("/sign-up/email", { name: "Chi", email, password: GOOD_PASSWORD });
    await browser.follow(await approval.linkTo(email));
    assert.equal((await browser.session()).person?.email, email === guest ? guest : undefined);
  }
  assert.ok(await decide.refuse(OPERATOR, refused));
  assert.equal((await db.query("select 1 from auth_people where email = $1", [refused])).rowCount, 0);
  assert.partialDeepStrictEqual((await approval.browser().signIn(refused)).body, { code: "wrong_credentials" });
});
