import { isIP } from "node:net";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { audit } from "../accounts/audit.repo.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Visitor } from "./ask-library.ts";
import { AWAITING_APPROVAL } from "./library-refusals.ts";
import { openSession } from "./open-session.ts";
import type { Asked, PasskeyChallenges } from "./passkey-challenges.ts";
import { type Answer, challengeIn, type NewCredential, verifyAnswer, verifyNew } from "./passkey-proofs.ts";
import * as repo from "./passkeys.repo.ts";
import { hasPassword, isApproved, lockPerson } from "./people.repo.ts";
import type { SessionKeys } from "./session-keys.ts";
import type { Person } from "./signed-in.ts";
import type { Throttle } from "./throttle.ts";

interface Offer<Options> {
  readonly options: Options;
  readonly cookies: readonly string[];
}

/** Passkeys: signing in with one is both factors, as the device asks for a finger, a face or a PIN each time. */
export interface Passkeys {
  list(personId: Uuid): Promise<readonly repo.Passkey[]>;
  offerNew(visitor: Visitor, person: Person): Promise<Result<Offer<PublicKeyCredentialCreationOptionsJSON>>>;
  add(
    visitor: Visitor,
    person: Person,
    given: NewCredential & { readonly name: string },
  ): Promise<Result<repo.Passkey>>;
  remove(person: Person, id: Uuid): Promise<Result<undefined>>;
  /** `person`: of whom a passkey is wanted; undefined: of whoever comes. */
  ask(visitor: Visitor, person?: Person): Promise<Result<Offer<PublicKeyCredentialRequestOptionsJSON>>>;
  signIn(visitor: Visitor, answer: Answer): Promise<Result<{ readonly cookies: readonly string[] }>>;
  /** Whether it is a passkey of this person; undefined: it is. */
  whyNotOf(visitor: Visitor, person: Person, answer: Answer): Promise<Refusal | undefined>;
}

export const PASSKEYS_MAX = 20;
const ANSWER_MS = 5 * 60_000;

export interface PasskeysParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly keys: SessionKeys;
  readonly challenges: PasskeyChallenges;
  readonly throttle: Throttle;
}

export function makePasskeys({ db, clock, keys, challenges, throttle }: PasskeysParts): Passkeys {
  /** The passkey that answered, once its signature, place, challenge and counter are right. */
  async function proven(visitor: Visitor, asked: Asked, answer: Answer): Promise<Result<repo.Passkey>> {
    const place = placeOf(visitor.origin);
    if (!place.ok) return place;
    const challenge = challengeIn(answer.client_data);
    if (!challenge || !(await challenges.take(visitor.cookies, asked, challenge))) return refuse(TOO_LATE);
    const passkey = await repo.findPasskey(db, Buffer.from(answer.id, "base64url"));
    const whom = "whom" in asked ? asked.whom : undefined;
    if (!passkey || (whom !== undefined && passkey.personId !== whom)) return refuse(UNKNOWN);
    // The device names whose it is. It need not where one of a known person was asked for.
    const named = answer.user_handle ?? (whom && handleOf(whom));
    if (named !== handleOf(passkey.personId)) return refuse(UNKNOWN);
    const verified = await verifyAnswer(answer, { challenge, ...place.value, publicKey: passkey.publicKey });
    if (!verified.ok) return verified;
    if (await repo.usePasskey(db, passkey.id, verified.value.counter, clock.now())) return ok(passkey);
    await audit(db, {
      actor: { kind: "system" },
      action: "passkey.counter",
      subject: encodeId("usr", passkey.personId),
      details: { passkey: encodeId("psk", passkey.id), known: passkey.counter, reported: verified.value.counter },
    });
    return refuse(COPIED);
  }

  return {
    list: (personId) => repo.listPasskeys(db, personId),

    async offerNew(visitor, person) {
      const place = placeOf(visitor.origin);
      if (!place.ok) return place;
      const known = await repo.listPasskeys(db, person.id);
      if (known.length >= PASSKEYS_MAX) return refuse(TOO_MANY);
      const { challenge, cookie } = challenges.issue(visitor.cookies, { for: "add", whom: person.id });
      const { generateRegistrationOptions } = await import("@simplewebauthn/server");
      const options = await generateRegistrationOptions({
        rpName: "Afara",
        rpID: place.value.rpId,
        userID: bytesOf(person.id),
        userName: person.email,
        userDisplayName: person.name,
        challenge: new Uint8Array(challenge),
        timeout: ANSWER_MS,
        excludeCredentials: known.map(named),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
      return ok({ options, cookies: [cookie] });
    },

    async add(visitor, person, given) {
      const place = placeOf(visitor.origin);
      if (!place.ok) return place;
      const challenge = challengeIn(given.client_data);
      const asked = { for: "add", whom: person.id } as const;
      if (!challenge || !(await challenges.take(visitor.cookies, asked, challenge))) return refuse(TOO_LATE);
      const verified = await verifyNew(given, { challenge, ...place.value });
      if (!verified.ok) return verified;
      const [id, createdAt] = [newUuid(), clock.now()];
      const passkey = { id, personId: person.id, name: given.name.trim(), createdAt, ...verified.value };
      return db.transaction(async (tx) => {
        await lockPerson(tx, person.id);
        if ((await repo.listPasskeys(tx, person.id)).length >= PASSKEYS_MAX) return refuse(TOO_MANY);
        if (!(await repo.insertPasskey(tx, passkey))) return refuse(KNOWN_ALREADY);
        await audit(tx, {
          actor: { kind: "person", id: person.id },
          action: "passkey.add",
          subject: encodeId("usr", person.id),
          details: { passkey: encodeId("psk", id) },
        });
        return ok({ ...passkey, lastUsedAt: null });
      });
    },

    remove: (person, id) =>
      db.transaction(async (tx) => {
        await lockPerson(tx, person.id);
        const known = await repo.listPasskeys(tx, person.id);
        if (!known.some((passkey) => passkey.id === id)) return refuse(NO_PASSKEY);
        if (known.length === 1 && !(await hasPassword(tx, person.id))) return refuse(ONLY_WAY);
        await repo.deletePasskey(tx, person.id, id);
        await audit(tx, {
          actor: { kind: "person", id: person.id },
          action: "passkey.remove",
          subject: encodeId("usr", person.id),
          details: { passkey: encodeId("psk", id) },
        });
        return ok(undefined);
      }),

    async ask(visitor, person) {
      const place = placeOf(visitor.origin);
      if (!place.ok) return place;
      const asked = person ? ({ for: "confirm", whom: person.id } as const) : ({ for: "sign-in" } as const);
      const { challenge, cookie } = challenges.issue(visitor.cookies, asked);
      const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
      const options = await generateAuthenticationOptions({
        rpID: place.value.rpId,
        challenge: new Uint8Array(challenge),
        timeout: ANSWER_MS,
        userVerification: "required",
        ...(person && { allowCredentials: (await repo.listPasskeys(db, person.id)).map(named) }),
      });
      return ok({ options, cookies: [cookie] });
    },

    async signIn(visitor, answer) {
      const no = await throttle.enter(visitor.address);
      if (no) return refuse(no);
      const passkey = await proven(visitor, { for: "sign-in" }, answer);
      if (!passkey.ok) return passkey;
      const { personId } = passkey.value;
      if (!(await isApproved(db, personId))) return refuse(AWAITING_APPROVAL);
      return ok({ cookies: [await openSession(db, keys, { personId, visitor, at: clock.now() })] });
    },

    /** Uncounted: a signature can't be guessed. */
    async whyNotOf(visitor, person, answer) {
      const passkey = await proven(visitor, { for: "confirm", whom: person.id }, answer);
      return passkey.ok ? undefined : passkey.error;
    },
  };
}

/** What a passkey is bound to: the name of the host, without its port. No browser takes an address in its place. */
function placeOf(origin: string): Result<{ readonly origin: string; readonly rpId: string }> {
  const { hostname, port } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) === 0) return ok({ origin, rpId: hostname });
  const there = `http://localhost${port === "" ? "" : `:${port}`}`;
  return refuse(refusal("invalid_state", `Passkeys need a name in place of the address ${hostname}: open ${there}.`));
}

const bytesOf = (id: Uuid): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(id.replaceAll("-", ""), "hex"));
const handleOf = (id: Uuid): string => Buffer.from(bytesOf(id)).toString("base64url");

const named = ({ credentialId, transports }: repo.Passkey) => ({
  id: credentialId.toString("base64url"),
  transports: [...transports],
});

const TOO_LATE = refusal(
  "wrong_passkey",
  "This was asked for too long ago, or in another browser, or was answered before. Begin again.",
);
const UNKNOWN = refusal("wrong_passkey", "This passkey is not known here, or was removed. Sign in another way.");
const COPIED = refusal(
  "wrong_passkey",
  "This passkey has been used elsewhere since, as if there were a copy of it. Sign in another way and remove it.",
);
const TOO_MANY = refusal("invalid_state", `A person has ${PASSKEYS_MAX} passkeys at most. Remove one first.`);
const KNOWN_ALREADY = refusal("invalid_state", "This passkey was added before.");
const NO_PASSKEY = refusal("not_found", "You have no such passkey.");
const ONLY_WAY = refusal("invalid_state", "This passkey is the only way in that you have. Set a password first.");
