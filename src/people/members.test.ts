import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { insertKey, listKeys } from "../accounts/keys.repo.ts";
import { ROLES, type Role } from "../accounts/roles.ts";
import { decodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makePeopleRig, newEmail } from "../testing/people-rig.ts";
import { makeMembers } from "./members.service.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

const OPERATOR = { operator: { kind: "operator", name: "ada" } } as const;
const operated = makeMembers({ db, clock: rig.clock });

type Browser = ReturnType<typeof rig.browser>;
interface Listed {
  readonly data: readonly { readonly id: string; readonly email: string; readonly role: Role }[];
}

/** An address of its own for each, so that none is slowed down for the others. */
let last = 0;
const newBrowser = () => rig.browser(`10.7.${Math.floor(++last / 250)}.${last % 250}`);

async function founded() {
  const owner = newBrowser();
  const { email, session } = await owner.join("Ikoyi Foods");
  return { owner, email, organizationId: session.accounts[0]!.id };
}

async function invited(owner: Browser, organizationId: string, role: Role, email = newEmail()) {
  const answered = await owner.post<{ id: string }>("/organization/invite-member", { organizationId, email, role });
  assert.equal(answered.status, 200, answered.text);
  return { email, invitationId: answered.body.id };
}

/** A member of the account with this role. */
async function member(owner: Browser, organizationId: string, role: Role) {
  const browser = newBrowser();
  const { email, session } = await browser.join();
  const { invitationId } = await invited(owner, organizationId, role, email);
  assert.equal((await browser.post("/organization/accept-invitation", { invitationId })).status, 200);
  return { browser, email, memberId: session.person!.id };
}

const listed = async (browser: Browser, organizationId: string) =>
  (await browser.get<Listed>(`/organization/list-members?organizationId=${organizationId}`)).body.data;

test("an invitation leads by mail to the account, once, with the role that it names", async () => {
  const { owner, organizationId } = await founded();
  const guest = newBrowser();
  const { email } = await guest.join();
  const { invitationId } = await invited(owner, organizationId, "developer", email);
  const link = await rig.linkTo(email, 2);
  assert.equal(new URL(link).searchParams.get("id"), invitationId);

  assert.equal((await guest.post("/organization/accept-invitation", { invitationId })).status, 200);
  assert.partialDeepStrictEqual((await guest.session()).accounts.at(-1), { id: organizationId, role: "developer" });
  assert.equal((await guest.post("/organization/accept-invitation", { invitationId })).status, 404);
  assert.deepEqual((await guest.get<Listed>("/organization/list-user-invitations")).body.data, []);
});

test("an invitation for another address is accepted by nobody else, and stays for whom it is", async () => {
  const { owner, organizationId } = await founded();
  const { invitationId } = await invited(owner, organizationId, "owner");
  const stranger = newBrowser();
  await stranger.join();
  for (const act of ["accept-invitation", "reject-invitation"])
    assert.partialDeepStrictEqual((await stranger.post(`/organization/${act}`, { invitationId })).body, {
      status: 404,
      code: "not_found",
    });
  assert.equal((await stranger.session()).accounts.length, 1);
  const open = await owner.get<Listed>(`/organization/list-invitations?organizationId=${organizationId}`);
  assert.deepEqual(
    open.body.data.map(({ id }) => id),
    [invitationId],
  );
});

test("an invitation that was withdrawn, replaced, refused or is a week old is worth nothing", async () => {
  const { owner, organizationId } = await founded();
  const guest = newBrowser();
  const { email } = await guest.join();
  const accept = (invitationId: string) => guest.post("/organization/accept-invitation", { invitationId });

  const first = await invited(owner, organizationId, "owner", email);
  const second = await invited(owner, organizationId, "viewer", email);
  assert.equal((await accept(first.invitationId)).status, 404, "replaced");
  const withdrawn = { organizationId, invitationId: second.invitationId };
  assert.equal((await owner.post("/organization/cancel-invitation", withdrawn)).status, 204);
  assert.equal((await accept(second.invitationId)).status, 404, "withdrawn");
  const third = await invited(owner, organizationId, "viewer", email);
  assert.equal((await guest.post("/organization/reject-invitation", third)).status, 400, "it takes no address");
  const { invitationId } = third;
  assert.equal((await guest.post("/organization/reject-invitation", { invitationId })).status, 204);
  assert.equal((await accept(invitationId)).status, 404, "refused");
  const fourth = await invited(owner, organizationId, "viewer", email);
  await db.query("update account_invitations set expires_at = now()");
  assert.equal((await accept(fourth.invitationId)).status, 404, "too old");
});

test("owners alone change who belongs to the account; all members see it, and strangers do not", async () => {
  const { owner, organizationId, email } = await founded();
  const people = new Map<Role | "stranger", Browser>([["owner", owner]]);
  for (const role of ROLES.filter((one) => one !== "owner"))
    people.set(role, (await member(owner, organizationId, role)).browser);
  const target = await member(owner, organizationId, "viewer");
  const stranger = newBrowser();
  await stranger.join();
  people.set("stranger", stranger);

  for (const [role, browser] of people) {
    const isOwner = role === "owner";
    const refused = role === "stranger" ? "not_a_member" : "role_missing";
    const seen = await browser.get(`/organization/list-members?organizationId=${organizationId}`);
    assert.equal(seen.status, role === "stranger" ? 403 : 200, role);
    const open = await browser.get(`/organization/list-invitations?organizationId=${organizationId}`);
    assert.equal(open.status, isOwner ? 200 : 403, role);
    if (isOwner) continue;
    const { memberId } = target;
    for (const [act, body] of [
      ["invite-member", { organizationId, email: newEmail(), role: "viewer" }],
      ["update-member-role", { organizationId, memberId, role: "owner" }],
      ["remove-member", { organizationId, memberId }],
    ] as const) {
      const answered = await browser.post(`/organization/${act}`, body);
      assert.partialDeepStrictEqual(answered.body, { status: 403, code: refused }, `${role} ${act}`);
    }
  }
  assert.equal((await listed(owner, organizationId)).length, 5);
  assert.equal((await listed(target.browser, organizationId))[0]!.email, email);
});

test("nobody raises their own role, nor joins with one that is none or several", async () => {
  const { owner, organizationId } = await founded();
  const { browser, memberId } = await member(owner, organizationId, "developer");
  const raised = await browser.post("/organization/update-member-role", { organizationId, memberId, role: "owner" });
  assert.equal(raised.status, 403);
  for (const role of ["admin", "member", "owner,viewer", ["owner"], ["viewer", "owner"], "", "Owner"]) {
    const body = { organizationId, email: newEmail(), role };
    assert.equal((await owner.post("/organization/invite-member", body)).status, 400, JSON.stringify(role));
  }
});

test("an owner changes roles and removes members, and what they may is other from that moment on", async () => {
  const { owner, organizationId } = await founded();
  const { browser, memberId } = await member(owner, organizationId, "viewer");
  const change = { organizationId, memberId, role: "finance" };
  assert.equal((await owner.post("/organization/update-member-role", change)).status, 204);
  assert.partialDeepStrictEqual((await browser.session()).accounts.at(-1), { id: organizationId, role: "finance" });
  assert.equal((await owner.post("/organization/remove-member", { organizationId, memberId })).status, 204);
  assert.ok((await browser.session()).accounts.every(({ id }) => id !== organizationId));
  const { rows } = await db.query<{ action: string; actor_kind: string }>(
    "select action, actor_kind from audit_log order by number desc limit 2",
  );
  assert.deepEqual(rows, [
    { action: "member.remove", actor_kind: "person" },
    { action: "member.role", actor_kind: "person" },
  ]);
});

test("a person may leave, and the last owner may not", async () => {
  const { owner, organizationId } = await founded();
  const { browser, memberId } = await member(owner, organizationId, "viewer");
  assert.equal((await browser.post("/organization/remove-member", { organizationId, memberId })).status, 204);
  const own = (await owner.session()).person!.id;
  for (const [act, body] of [
    ["remove-member", { organizationId, memberId: own }],
    ["update-member-role", { organizationId, memberId: own, role: "developer" }],
  ] as const)
    assert.partialDeepStrictEqual((await owner.post(`/organization/${act}`, body)).body, { code: "invalid_state" });
});

test("of two owners who remove each other in the same moment, one stays", async () => {
  for (let round = 0; round < 5; round++) {
    const { owner, organizationId } = await founded();
    const other = await member(owner, organizationId, "owner");
    const own = (await owner.session()).person!.id;
    const remove = (browser: Browser, memberId: string) =>
      browser.post("/organization/remove-member", { organizationId, memberId });
    const answers = await Promise.all([remove(owner, other.memberId), remove(other.browser, own)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 403]);
  }
});

test("the operator has the same rules, and needs no role", async () => {
  const { owner, organizationId } = await founded();
  const { memberId } = await member(owner, organizationId, "viewer");
  const { rows } = await db.query<{ account_id: never; person_id: never; role: Role }>(
    "select m.account_id, m.person_id, m.role from account_members m order by m.created_at desc limit 1",
  );
  const { account_id: accountId, person_id: personId } = rows[0]!;
  assert.ok((await operated.changeRole(OPERATOR, accountId, personId, "developer")).ok);
  assert.equal((await listed(owner, organizationId)).find(({ id }) => id === memberId)?.role, "developer");
});

test("an account is neither seen nor changed by a session of another account's owner", async () => {
  const [mine, theirs] = [await founded(), await founded()];
  const { memberId } = await member(theirs.owner, theirs.organizationId, "viewer");
  const { organizationId } = theirs;
  const { invitationId } = await invited(theirs.owner, organizationId, "viewer");
  for (const [act, body] of [
    ["remove-member", { memberId }],
    ["update-member-role", { memberId, role: "owner" }],
    ["cancel-invitation", { invitationId }],
  ] as const) {
    assert.equal((await mine.owner.post(`/organization/${act}`, { organizationId, ...body })).status, 403);
    const inOwn = { organizationId: mine.organizationId, ...body };
    assert.equal((await mine.owner.post(`/organization/${act}`, inOwn)).status, 404, `${act} in one's own account`);
  }
});

test("the keys that a member made are shown to an owner, and end with the membership when that is asked for", async () => {
  const { owner, organizationId } = await founded();
  const accountId = decodeId("acc", organizationId) as Uuid;
  const keep = await member(owner, organizationId, "developer");
  const end = await member(owner, organizationId, "developer");
  const made = async (memberId: string, mode: "test" | "live", more: object = {}) => {
    const [id, madeBy] = [newUuid(), decodeId("usr", memberId) as Uuid];
    const stored = {
      accountId,
      mode,
      hash: randomBytes(32),
      start: `afara_${mode}_Ab12`,
      last4: "wxyz",
      scopes: ["read"],
    };
    await insertKey(db, { id, madeBy, ...stored, ...more });
    return id;
  };
  const theirs = [await made(end.memberId, "test"), await made(end.memberId, "live")];
  await made(end.memberId, "live", { expiresAt: new Date(rig.clock.now().getTime() - 1) });
  const others = await made(keep.memberId, "live");
  const list = (browser: Browser, memberId: string) =>
    browser.get<{ data: readonly { mode: string }[] }>(
      `/organization/list-member-keys?organizationId=${organizationId}&memberId=${memberId}`,
    );
  assert.deepEqual((await list(owner, end.memberId)).body.data.map(({ mode }) => mode).toSorted(), ["live", "test"]);
  assert.equal((await list(end.browser, end.memberId)).status, 200, "their own");
  assert.equal((await list(end.browser, keep.memberId)).status, 403);

  const remove = (memberId: string, endKeys: boolean) =>
    owner.post("/organization/remove-member", { organizationId, memberId, endKeys });
  assert.equal((await remove(end.memberId, true)).status, 204);
  assert.equal((await remove(keep.memberId, false)).status, 204);
  const after = new Map((await listKeys(db, accountId)).map((key) => [key.id, key]));
  for (const id of theirs) assert.ok(after.get(id)?.revokedAt);
  assert.equal(after.get(others)?.revokedAt, null);
  assert.partialDeepStrictEqual(after.get(others)?.madeBy, { isMember: false });
  const { rows } = await db.query<{ details: { revoked_keys?: string[] } }>(
    "select details from audit_log where subject = $1 and action = 'member.remove' order by number",
    [organizationId],
  );
  assert.deepEqual(
    rows.map(({ details }) => details.revoked_keys?.length),
    [2, undefined],
  );
});
