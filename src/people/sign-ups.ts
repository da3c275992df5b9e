import { type Actor, audit } from "../accounts/audit.repo.ts";
import { openAccount } from "../accounts/open-account.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { hasAccount, insertMember, invitationsTo } from "./members.repo.ts";
import { isInvitedAsOperator } from "./operators.repo.ts";
import { approvePerson, deletePerson, findPersonByEmail, lockPerson } from "./people.repo.ts";

/** Who may sign up: anybody, those with an invitation to an account, or those whom the operator approves. */
export type SignUpRule = NonNullable<ConfigFile["signUp"]>;

/** Whoever looks around on their own machine needs no invitation. */
export const signUpRuleOf = ({ signUp }: Pick<ConfigFile, "signUp">, isLocal: boolean): SignUpRule =>
  signUp ?? (isLocal ? "open" : "invitation");

export interface SignUps {
  /** Whether this address may sign up at all. */
  isWelcome(email: string): Promise<boolean>;
  /** Whether it needs no approval. An invitation of an account's owner is one. */
  isApproved(email: string): Promise<boolean>;
  /** Makes the account of a person whose address is proven and who is approved. Safe to repeat. */
  settle(personId: Uuid): Promise<void>;
  /** Undefined: nobody with this address waits. */
  approve(operator: Actor, email: string): Promise<Uuid | undefined>;
  refuse(operator: Actor, email: string): Promise<Uuid | undefined>;
}

export interface SignUpsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<ConfigFile, "services" | "playMoney">;
  readonly rule: SignUpRule;
}

export function makeSignUps({ db, clock, config, rule }: SignUpsParts): SignUps {
  const isInvited = async (email: string) =>
    (await invitationsTo(db, email, clock.now())).length > 0 || isInvitedAsOperator(db, email, clock.now());

  const settle = (personId: Uuid): Promise<void> =>
    db.transaction(async (tx) => {
      const person = await lockPerson(tx, personId);
      if (!person?.emailVerified || !person.approved || (await hasAccount(tx, personId))) return;
      if (rule === "invitation") return; // they are asked to join an account that is there
      const [id, at] = [newUuid(), clock.now()];
      await openAccount(tx, config, { id, name: person.name, at });
      await insertMember(tx, { accountId: id, personId, role: "owner", at });
      await audit(tx, {
        actor: { kind: "person", id: personId },
        action: "account.create",
        subject: encodeId("acc", id),
        details: { by: "sign-up" },
      });
    });

  /** Decides about the one who waits with this address. */
  async function decide(operator: Actor, email: string, isApproval: boolean): Promise<Uuid | undefined> {
    const found = await findPersonByEmail(db, email);
    if (!found) return undefined;
    return db.transaction(async (tx) => {
      const person = await lockPerson(tx, found.id);
      if (!person?.emailVerified || person.approved) return undefined;
      await (isApproval ? approvePerson : deletePerson)(tx, person.id);
      const action = isApproval ? "signup.approve" : "signup.refuse";
      await audit(tx, { actor: operator, action, subject: encodeId("usr", person.id) });
      return person.id;
    });
  }

  return {
    isWelcome: async (email) => rule !== "invitation" || isInvited(email),
    isApproved: async (email) => rule !== "approval" || isInvited(email),
    settle,
    async approve(operator, email) {
      const id = await decide(operator, email, true);
      if (id) await settle(id);
      return id;
    },
    refuse: (operator, email) => decide(operator, email, false),
  };
}
