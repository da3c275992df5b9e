import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { MINUTE_MS } from "../kernel/duration.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { LINK_NOT_VALID } from "./library-refusals.ts";
import { LOCAL_OWNER } from "./local-link.repo.ts";
import { hashOfToken, newToken } from "./open-session.ts";
import * as repo from "./operators.repo.ts";
import type { Person } from "./signed-in.ts";

/** People who run the gateway. No role of an account, and none before they have a second factor. */
export interface Operators {
  /** On a local gateway the owner of its account is one of them. */
  list(isLocal: boolean): Promise<readonly repo.StoredOperator[]>;
  /** The token of a link, which works once. A repeat takes the place of the first. */
  invite(by: Actor, email: string): Promise<Result<{ readonly token: string; readonly expiresAt: Date }>>;
  /** Undefined: this signed-in person may accept with it. */
  whyNot(person: Person, token: string): Promise<Refusal | undefined>;
  /** By the signed-in person to whose address it was made out. */
  accept(person: Person, token: string): Promise<Result<undefined>>;
  remove(by: Actor, email: string): Promise<Result<{ readonly wasInvited: boolean }>>;
}

const LINK_MS = 30 * MINUTE_MS;

export function makeOperators({ db, clock }: { readonly db: Database; readonly clock: Clock }): Operators {
  return {
    list: (isLocal) => repo.listOperators(db, isLocal ? LOCAL_OWNER : undefined),

    invite: (by, email) =>
      db.transaction(async (tx) => {
        const [token, at] = [newToken(), clock.now()];
        const expiresAt = new Date(at.getTime() + LINK_MS);
        const invitation = { id: newUuid(), email, linkHash: hashOfToken(token), at, expiresAt };
        const id = await repo.putOperatorInvitation(tx, invitation);
        if (id === undefined) return refuse(refusal("invalid_state", `${email} is an operator already.`));
        await audit(tx, { actor: by, action: "operator.invite", subject: encodeId("inv", id) });
        return ok({ token, expiresAt });
      }),

    async whyNot(person, token) {
      const taken = { email: person.email, linkHash: hashOfToken(token), now: clock.now() };
      const isTheirs = person.emailVerified && (await repo.hasOperatorInvitation(db, taken));
      return isTheirs ? undefined : LINK_NOT_VALID;
    },

    accept: (person, token) =>
      db.transaction(async (tx) => {
        const taken = { email: person.email, personId: person.id, linkHash: hashOfToken(token), now: clock.now() };
        const id = person.emailVerified ? await repo.takeOperatorInvitation(tx, taken) : undefined;
        if (id === undefined) return refuse(LINK_NOT_VALID);
        await audit(tx, {
          actor: { kind: "person", id: person.id },
          action: "operator.join",
          subject: encodeId("usr", person.id),
          details: { invitation: encodeId("inv", id) },
        });
        return ok(undefined);
      }),

    remove: (by, email) =>
      db.transaction(async (tx) => {
        const gone = await repo.deleteOperator(tx, email);
        if (!gone) return refuse(refusal("not_found", `${email} is no operator: ./afara operator list`));
        await audit(tx, { actor: by, action: "operator.remove", subject: subjectOf(gone) });
        return ok({ wasInvited: gone.personId === null });
      }),
  };
}

const subjectOf = ({ id, personId }: { readonly id: Uuid; readonly personId: Uuid | null }): string =>
  personId === null ? encodeId("inv", id) : encodeId("usr", personId);
