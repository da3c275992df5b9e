import Type from "typebox";
import { readAmount } from "../http/amount.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { moneyOf } from "../http/schemas.ts";
import { HOUR_MS, SECOND_MS } from "../kernel/duration.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { actorOf } from "./actor.ts";
import type { KeyRecord } from "./key-record.ts";
import type { KeyTerms } from "./key-terms.ts";
import { findKey, keysPage, type StoredKey } from "./keys.repo.ts";
import { KeyInFull, KeyList, KeyParams, KeysQuery, NewKeyBody, OVERLAP_HOURS, RollBody } from "./keys.schemas.ts";
import { createKey, type KeyManager, type MadeKey, revokeKey, rollKey } from "./manage-keys.ts";
import { keyScopesOf } from "./roles.ts";

const PATH = "/portal/api/keys";
const MANAGE = { scope: "manage", policy: "manage", permission: "manage_keys", forPeople: true } as const;

export interface KeysRoutesOptions extends KeyManager {
  /** Clears this process's key cache. */
  readonly forgetKeys: () => void;
}

/** `/portal/api/keys`: the keys of an account in one mode, for the people who may make them. */
export function keysRoutes(app: Http, { forgetKeys, ...manager }: KeysRoutesOptions): void {
  const { db } = manager;

  /** A key of the caller's account and mode. */
  const ownKey = async (caller: KeyRecord, keyId: string): Promise<Result<StoredKey>> => {
    const id = decodeId("key", keyId);
    const key = id && (await findKey(db, id));
    return key && key.accountId === caller.accountId && key.mode === caller.mode ? ok(key) : refuse(NO_KEY);
  };

  /** What was made, with its text. */
  const inFull = async ({ id, key }: MadeKey) => ({ ...view((await findKey(db, id))!), key });

  app.get(
    PATH,
    {
      config: { auth: { ...MANAGE, policy: "read" }, errors: ["invalid_cursor"] },
      schema: { hide: true, querystring: KeysQuery, response: { 200: KeyList } },
    },
    async (request, reply) => {
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { accountId, mode } = callerOf(request);
      const { beforeId, rowLimit: limit, answer } = page.value;
      return answer(await keysPage(db, { accountId: accountId as Uuid, mode, beforeId, limit }), view);
    },
  );

  app.post(
    PATH,
    {
      config: { auth: MANAGE, confirmed: true },
      schema: { hide: true, body: NewKeyBody, response: { 201: KeyInFull } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { body } = request;
      const cap = body.spend_cap === undefined ? ok(null) : readAmount(body.spend_cap, "/spend_cap");
      if (!cap.ok) return sendRefusal(reply, cap.error);
      const scopes = body.scopes ?? mayHold(caller);
      const beyond = scopes.filter((scope) => !mayHold(caller).includes(scope));
      if (beyond.length > 0) return sendRefusal(reply, spends(caller, beyond));
      const terms: KeyTerms = {
        accountId: caller.accountId as Uuid,
        mode: caller.mode,
        scopes,
        services: body.services ?? null,
        cidrs: body.cidrs ?? null,
        expiresAt: body.expires_at === undefined ? null : new Date(body.expires_at),
        spendCapKobo: cap.value,
      };
      const made = await createKey(manager, actorOf(caller), terms);
      return made.ok ? reply.code(201).send(await inFull(made.value)) : sendRefusal(reply, made.error);
    },
  );

  app.post(
    `${PATH}/:key_id/roll`,
    {
      config: { auth: MANAGE, confirmed: true, errors: ["not_found", "invalid_state"] },
      schema: { hide: true, params: KeyParams, body: RollBody, response: { 201: KeyInFull } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const key = await ownKey(caller, request.params.key_id);
      if (!key.ok) return sendRefusal(reply, key.error);
      const beyond = key.value.scopes.filter((scope) => !mayHold(caller).some((held) => held === scope));
      if (beyond.length > 0) return sendRefusal(reply, spends(caller, beyond));
      const overlapMs = (request.body.overlap_hours ?? OVERLAP_HOURS.default) * HOUR_MS;
      const rolled = await rollKey(manager, actorOf(caller), key.value.id, overlapMs / SECOND_MS);
      if (!rolled.ok) return sendRefusal(reply, rolled.error);
      forgetKeys();
      return reply.code(201).send(await inFull(rolled.value));
    },
  );

  app.delete(
    `${PATH}/:key_id`,
    {
      config: { auth: MANAGE, errors: ["not_found"] },
      schema: { hide: true, params: KeyParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const key = await ownKey(caller, request.params.key_id);
      if (!key.ok) return sendRefusal(reply, key.error);
      const revoked = await revokeKey(manager, actorOf(caller), key.value.id);
      if (!revoked.ok) return sendRefusal(reply, revoked.error);
      forgetKeys();
      return reply.code(204).send(null);
    },
  );
}

const mayHold = ({ person, mode }: KeyRecord) => (person ? keyScopesOf(person.role, mode) : []);

const NO_KEY = refusal("not_found", "There is no such key in this account and mode.");

const spends = ({ person, mode }: KeyRecord, scopes: readonly string[]) =>
  refusal(
    "scope_missing",
    `A ${mode} key with ${scopes.join(", ")} can spend money, which your role, ${person?.role}, may not. Ask an owner of the account.`,
    { members: { required_scope: scopes[0]! } },
  );

const timeOf = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

const view = (key: StoredKey) => ({
  id: encodeId("key", key.id),
  object: "key" as const,
  mode: key.mode,
  starts: key.start,
  ends: key.last4,
  scopes: [...key.scopes],
  services: key.services && [...key.services],
  cidrs: key.cidrs && [...key.cidrs],
  spend_cap: key.spendCapKobo === null ? null : moneyOf(key.spendCapKobo),
  made_by: key.madeBy && {
    id: encodeId("usr", key.madeBy.id),
    name: key.madeBy.name,
    member: key.madeBy.isMember,
  },
  created_at: key.createdAt.toISOString(),
  last_used_at: timeOf(key.lastUsedAt),
  expires_at: timeOf(key.expiresAt),
  revoked_at: timeOf(key.revokedAt),
  replaced_until: timeOf(key.rolled?.until),
});
