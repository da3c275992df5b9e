import { lockAccount } from "../accounts/accounts.repo.ts";
import { type Actor, type AuditDetails, audit } from "../accounts/audit.repo.ts";
import { announceChange } from "../accounts/changes.repo.ts";
import { liveKeysOf, revokeKeysOf, type StoredKey } from "../accounts/keys.repo.ts";
import { keepsAnOwner, mayDo, type Role } from "../accounts/roles.ts";
import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import {
  deleteMember,
  type Invitation,
  insertMember,
  invitationsOf,
  listMembers,
  type Member,
  putInvitation,
  takeInvitation,
  updateRole,
  withdrawInvitation,
} from "./members.repo.ts";
import type { Person } from "./signed-in.ts";

/** Who changes an account's people: a person by their role there, or the operator. */
export type By = { readonly person: Uuid } | { readonly operator: Actor };

/** The people of accounts: the use cases of the portal and of the command line. */
export interface Members {
  list(by: By, accountId: Uuid): Promise<Result<readonly Member[]>>;
  invitations(by: By, accountId: Uuid): Promise<Result<readonly Invitation[]>>;
  /** A repeat takes the place of the first invitation. Errors: `invalid_state` (a member already). */
  invite(by: By, accountId: Uuid, email: string, role: Role): Promise<Result<Invitation>>;
  withdraw(by: By, accountId: Uuid, id: Uuid): Promise<Result<undefined>>;
  changeRole(by: By, accountId: Uuid, personId: Uuid, role: Role): Promise<Result<undefined>>;
  /** Those that a member made, of both modes, and that still work. */
  keysOf(by: By, accountId: Uuid, personId: Uuid): Promise<Result<readonly StoredKey[]>>;
  /** A person may also leave. `endsKeys`: what they made is revoked in the same moment. */
  remove(by: By, accountId: Uuid, personId: Uuid, endsKeys?: boolean): Promise<Result<undefined>>;
  /** By the person to whose proven address it was sent. */
  accept(person: Person, id: Uuid): Promise<Result<{ readonly accountId: Uuid }>>;
  decline(person: Person, id: Uuid): Promise<Result<undefined>>;
}

const INVITATION_MS = 7 * DAY_MS;
const INVITATIONS_MAX = 100;

interface Change {
  readonly action: string;
  readonly details: AuditDetails;
}

export function makeMembers({ db, clock }: { readonly db: Database; readonly clock: Clock }): Members {
  /** Runs `act` with the account locked, so that two changes can't both leave it without an owner. */
  function change<T>(
    by: By,
    accountId: Uuid,
    isAllowed: (role: Role) => boolean,
    act: (tx: Db, members: readonly Member[]) => Promise<Result<{ readonly value: T } & Change>>,
  ): Promise<Result<T>> {
    return db.transaction(async (tx) => {
      const account = await lockAccount(tx, accountId);
      const members = account ? await listMembers(tx, accountId) : [];
      const no = account ? whyNot(by, members, isAllowed) : NO_ACCOUNT;
      if (no) return refuse(no);
      const done = await act(tx, members);
      if (!done.ok) return done;
      const { value, action, details } = done.value;
      await audit(tx, { actor: actorOf(by), action, subject: encodeId("acc", accountId), details });
      return ok(value);
    });
  }

  async function see<T>(by: By, accountId: Uuid, isAllowed: (role: Role) => boolean, rows: Promise<readonly T[]>) {
    const no = whyNot(by, await listMembers(db, accountId), isAllowed);
    return no ? refuse(no) : ok(await rows);
  }

  return {
    list: (by, accountId) => see(by, accountId, sees, listMembers(db, accountId)),
    invitations: (by, accountId) => see(by, accountId, manages, invitationsOf(db, accountId, clock.now())),

    invite: (by, accountId, email, role) =>
      change(by, accountId, manages, async (tx, members) => {
        if (members.some((member) => member.email === email)) return refuse(MEMBER_ALREADY);
        const now = clock.now();
        if ((await invitationsOf(tx, accountId, now)).length >= INVITATIONS_MAX) return refuse(TOO_MANY);
        const id = newUuid();
        const expiresAt = new Date(now.getTime() + INVITATION_MS);
        await putInvitation(tx, { id, accountId, email, role, createdAt: now, expiresAt });
        const value = (await invitationsOf(tx, accountId, now)).find((invitation) => invitation.id === id)!;
        return ok({ value, action: "member.invite", details: { invitation: encodeId("inv", id), role } });
      }),

    withdraw: (by, accountId, id) =>
      change(by, accountId, manages, async (tx) => {
        const email = await withdrawInvitation(tx, accountId, id);
        if (email === undefined) return refuse(NO_INVITATION);
        return ok({ value: undefined, action: "member.uninvite", details: { invitation: encodeId("inv", id) } });
      }),

    changeRole: (by, accountId, personId, role) =>
      change(by, accountId, manages, async (tx, members) => {
        const member = members.find((one) => one.personId === personId);
        if (!member) return refuse(NO_MEMBER);
        if (!keepsAnOwner(members, { email: member.email, role })) return refuse(LAST_OWNER);
        await updateRole(tx, accountId, personId, role);
        const details = { person: encodeId("usr", personId), from: member.role, to: role };
        return ok({ value: undefined, action: "member.role", details });
      }),

    keysOf: (by, accountId, personId) =>
      see(by, accountId, managesOrIs(by, personId), liveKeysOf(db, accountId, personId, clock.now())),

    remove: (by, accountId, personId, endsKeys = false) =>
      change(by, accountId, managesOrIs(by, personId), async (tx, members) => {
        const member = members.find((one) => one.personId === personId);
        if (!member) return refuse(NO_MEMBER);
        if (!keepsAnOwner(members, { email: member.email, role: "removed" })) return refuse(LAST_OWNER);
        await deleteMember(tx, accountId, personId);
        const ended = endsKeys ? await revokeKeysOf(tx, accountId, personId, clock.now()) : [];
        if (ended.length > 0) await announceChange(tx);
        const keys = ended.map((id) => encodeId("key", id));
        const details = { person: encodeId("usr", personId), ...(keys.length > 0 && { revoked_keys: keys }) };
        return ok({ value: undefined, action: "member.remove", details });
      }),

    accept: (person, id) =>
      db.transaction(async (tx) => {
        const now = clock.now();
        const taken = person.emailVerified ? await takeInvitation(tx, { id, email: person.email, now }) : undefined;
        if (!taken) return refuse(NOT_INVITED);
        const { accountId, role } = taken;
        await lockAccount(tx, accountId);
        await insertMember(tx, { accountId, personId: person.id, role, at: now });
        await audit(tx, {
          actor: { kind: "person", id: person.id },
          action: "member.join",
          subject: encodeId("acc", accountId),
          details: { invitation: encodeId("inv", id), role },
        });
        return ok({ accountId });
      }),

    async decline(person, id) {
      const taken = await takeInvitation(db, { id, email: person.email, now: clock.now() });
      return taken ? ok(undefined) : refuse(NOT_INVITED);
    },
  };
}

const sees = (role: Role): boolean => mayDo(role, "see_members");
const manages = (role: Role): boolean => mayDo(role, "manage_members");

const managesOrIs =
  (by: By, personId: Uuid) =>
  (role: Role): boolean =>
    manages(role) || ("person" in by && by.person === personId);

const actorOf = (by: By): Actor => ("operator" in by ? by.operator : { kind: "person", id: by.person });

function whyNot(by: By, members: readonly Member[], isAllowed: (role: Role) => boolean): Refusal | undefined {
  if ("operator" in by) return undefined;
  const role = members.find(({ personId }) => personId === by.person)?.role;
  if (role === undefined) return NO_ACCOUNT;
  return isAllowed(role)
    ? undefined
    : refusal("role_missing", `Your role, ${role}, does not allow this. Ask an owner.`);
}

const NO_ACCOUNT = refusal("not_a_member", "There is no such account, or you are not a member of it.");
const NO_MEMBER = refusal("not_found", "This person is not a member of the account.");
const NO_INVITATION = refusal("not_found", "The account has no such open invitation.");
const NOT_INVITED = refusal("not_found", "There is no open invitation with this ID to your address.");
const MEMBER_ALREADY = refusal("invalid_state", "This person is a member of the account already.");
const TOO_MANY = refusal("invalid_state", `An account has ${INVITATIONS_MAX} open invitations at most.`);
const LAST_OWNER = refusal("invalid_state", "The account needs an owner: make somebody else one first.");
