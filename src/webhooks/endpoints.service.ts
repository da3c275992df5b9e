import { randomBytes } from "node:crypto";
import { type Actor, type AuditDetails, audit } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { checkUrl, EGRESS_FAULTS, type EgressRules } from "../egress/guard.ts";
import type { FaultsOfTypes } from "../events/event-types.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { insertPing } from "./deliveries.repo.ts";
import { ENDPOINTS_MAX, type Endpoint, KEYS_MAX, type ShownEndpoint, type Whose } from "./endpoint.ts";
import {
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockAndCount,
  lockEndpoint,
  touchEndpoint,
  updateEndpoint,
} from "./endpoints.repo.ts";
import { endKeys, insertKey, publicKeysOf } from "./keys.repo.ts";
import { pingBody } from "./ping.ts";
import type { WebhookSeal } from "./sealed.ts";
import { makePrivateKey, publicKeyText, SECRET_BYTES, secretText } from "./signing.ts";

export interface Caller extends Whose {
  /** Whether its key sees tokens in full. */
  readonly mayVend: boolean;
  readonly actor: Actor;
}

export interface NewEndpoint {
  readonly url: string;
  readonly types?: readonly string[] | undefined;
  readonly description?: string | undefined;
}

export interface EndpointChanges {
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
  readonly status?: "active" | "paused" | undefined;
}

/** An endpoint with its secret, which is shown now and never again. */
export interface WithSecret extends ShownEndpoint {
  readonly secret: string;
}

/** An account's webhook endpoints. Errors of all: `not_found`; of those that take a body, `validation_failed`. */
export interface Endpoints {
  list(whose: Whose, beforeId: Uuid | undefined, limit: number): Promise<readonly ShownEndpoint[]>;
  find(whose: Whose, id: Uuid | undefined): Promise<Result<ShownEndpoint>>;
  /** Errors: `invalid_state` with `ENDPOINTS_MAX` of them. */
  create(caller: Caller, request: NewEndpoint): Promise<Result<WithSecret>>;
  change(caller: Caller, id: Uuid | undefined, changes: EndpointChanges): Promise<Result<ShownEndpoint>>;
  delete(caller: Caller, id: Uuid | undefined): Promise<Result<undefined>>;
  /** Replaces secret and key pair; the earlier ones sign as well for that time. Errors: `invalid_state` with `KEYS_MAX` of them. */
  rotate(caller: Caller, id: Uuid | undefined, overlapHours: number): Promise<Result<WithSecret>>;
  /** Sends a ping now. The event's ID. */
  ping(caller: Caller, id: Uuid | undefined): Promise<Result<Uuid>>;
}

export interface EndpointsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: WebhookSeal;
  readonly rulesFor: (mode: Mode) => EgressRules;
  readonly faultsOfTypes: FaultsOfTypes;
  /** The position of the last event in the feed. */
  readonly readHead: (db: Db) => Promise<bigint>;
}

const ALL_TYPES: readonly string[] = ["*"];

export function makeEndpoints(options: EndpointsOptions): Endpoints {
  const { db, clock, seal, rulesFor, faultsOfTypes, readHead } = options;

  const faultsOf = (mode: Mode, { url, types }: EndpointChanges): readonly Fault[] => {
    const checked = url === undefined ? undefined : checkUrl(url, rulesFor(mode));
    const faults = types === undefined ? [] : faultsOfTypes(types, (index) => ({ pointer: `/types/${index}` }));
    if (!checked || checked.ok) return faults;
    return [{ pointer: "/url", code: "not_allowed_value", detail: EGRESS_FAULTS[checked.error] }, ...faults];
  };

  /** New keys of an endpoint. Returns the secret's text. */
  const addKeys = async (tx: Db, endpointId: Uuid, at: Date): Promise<string> => {
    const key = { secret: randomBytes(SECRET_BYTES), privateKey: makePrivateKey() };
    const sealed = seal.sealKey(newUuid(), key);
    await insertKey(tx, { endpointId, sealed, publicKey: publicKeyText(key.privateKey), at });
    return secretText(key.secret);
  };

  const addPing = async (tx: Db, endpointId: Uuid, at: Date): Promise<Uuid> => {
    const eventId = newUuid();
    await insertPing(tx, { endpointId, eventId, body: pingBody(eventId, endpointId, at), at });
    return eventId;
  };

  /** What the act left, as the account sees it. */
  const shown = async (tx: Db, whose: Whose, id: Uuid): Promise<ShownEndpoint> => (await findEndpoint(tx, whose, id))!;

  /** Runs an act on a locked endpoint, with its entry in the audit log. */
  const act = async <T>(
    { actor, ...caller }: Caller,
    id: Uuid | undefined,
    action: string,
    run: (
      tx: Db,
      endpoint: Endpoint,
      at: Date,
    ) => Promise<Result<{ readonly answer: T; readonly details?: AuditDetails }>>,
  ): Promise<Result<T>> =>
    db.transaction(async (tx) => {
      const endpoint = id && (await lockEndpoint(tx, caller, id));
      if (!endpoint) return absent(id);
      const done = await run(tx, endpoint, clock.now());
      if (!done.ok) return done;
      const { answer, details = {} } = done.value;
      await audit(tx, { actor, action, subject: encodeId("whe", endpoint.id), details });
      return ok(answer);
    });

  return {
    list: ({ accountId, mode }, beforeId, limit) => listEndpoints(db, { accountId, mode, beforeId, limit }),

    async find(whose, id) {
      const found = id && (await findEndpoint(db, whose, id));
      return found ? ok(found) : absent(id);
    },

    async create(caller, request) {
      const { accountId, mode, mayVend, actor } = caller;
      const faults = faultsOf(mode, request);
      if (faults.length > 0) return invalid(faults);
      return db.transaction(async (tx) => {
        if ((await lockAndCount(tx, caller)) >= ENDPOINTS_MAX) return refuse(FULL);
        const at = clock.now();
        const endpoint: Endpoint = {
          id: newUuid(),
          accountId,
          mode,
          mayVend,
          url: request.url,
          types: request.types ?? ALL_TYPES,
          description: request.description ?? null,
          status: "unverified",
          disabledReason: null,
          missedBefore: null,
          createdAt: at,
          updatedAt: at,
        };
        await insertEndpoint(tx, endpoint, await readHead(tx));
        const secret = await addKeys(tx, endpoint.id, at);
        await addPing(tx, endpoint.id, at);
        const subject = encodeId("whe", endpoint.id);
        await audit(tx, { actor, action: "webhook.create", subject, details: detailsOf(endpoint) });
        return ok({ ...(await shown(tx, caller, endpoint.id)), secret });
      });
    },

    async change(caller, id, changes) {
      const faults = faultsOf(caller.mode, changes);
      if (faults.length > 0) return invalid(faults);
      return act(caller, id, "webhook.change", async (tx, before, at) => {
        const isMoved = changes.url !== undefined && changes.url !== before.url;
        const status = statusAfter(before, changes.status, isMoved);
        const endpoint: Endpoint = {
          ...before,
          url: changes.url ?? before.url,
          // Whoever chooses where the tokens go must be allowed to see them.
          mayVend: isMoved ? caller.mayVend : before.mayVend,
          types: changes.types ?? before.types,
          description: changes.description === undefined ? before.description : changes.description,
          status,
          disabledReason: status === "disabled" ? before.disabledReason : null,
          updatedAt: at,
        };
        await updateEndpoint(tx, endpoint, isMoved || status !== before.status);
        if (status === "unverified" && (isMoved || changes.status === "active")) await addPing(tx, endpoint.id, at);
        return ok({ answer: await shown(tx, caller, endpoint.id), details: detailsOf(endpoint) });
      });
    },

    delete: (caller, id) =>
      act(caller, id, "webhook.delete", async (tx, endpoint) => {
        await deleteEndpoint(tx, endpoint.id);
        return ok({ answer: undefined, details: detailsOf(endpoint) });
      }),

    rotate: (caller, id, overlapHours) =>
      act(caller, id, "webhook.rotate", async (tx, endpoint, at) => {
        const until = new Date(at.getTime() + overlapHours * HOUR_MS);
        const signing = (await publicKeysOf(tx, endpoint.id, at)).length;
        if (overlapHours > 0 && signing >= KEYS_MAX) return refuse(TOO_MANY_KEYS);
        await endKeys(tx, endpoint.id, until, at);
        const secret = await addKeys(tx, endpoint.id, at);
        await touchEndpoint(tx, endpoint.id, at);
        const details = { earlier_until: until.toISOString() };
        return ok({ answer: { ...(await shown(tx, caller, endpoint.id)), secret }, details });
      }),

    ping: (caller, id) =>
      act(caller, id, "webhook.test", async (tx, endpoint, at) => {
        const answer = await addPing(tx, endpoint.id, at);
        return ok({ answer, details: { event: encodeId("evt", answer) } });
      }),
  };
}

/** A new address, and an endpoint that is to be active again, must answer a ping first. */
function statusAfter(before: Endpoint, wanted: EndpointChanges["status"], isMoved: boolean): Endpoint["status"] {
  if (wanted === "paused") return "paused";
  if (wanted === "active" && before.status !== "active") return "unverified";
  return isMoved && before.status === "active" ? "unverified" : before.status;
}

const FULL = refusal(
  "invalid_state",
  `The account has ${ENDPOINTS_MAX} webhook endpoints in this mode, which is the most it may have. Delete one: GET /webhooks shows all.`,
);

const TOO_MANY_KEYS = refusal(
  "invalid_state",
  `${KEYS_MAX} secrets of this endpoint sign already. Wait for the end of an overlap, or end all of them now with \`overlap_hours\` 0.`,
);

const invalid = (faults: readonly Fault[]) =>
  refuse(refusal("validation_failed", faults.map(({ detail }) => detail).join(" "), { errors: faults }));

export const noEndpoint = (id: Uuid | undefined) =>
  refusal("not_found", `There is no ${id ? `webhook endpoint ${encodeId("whe", id)}` : "such webhook endpoint"}.`);

export const absent = (id: Uuid | undefined) => refuse(noEndpoint(id));

const detailsOf = ({ accountId, mode, url, types, status }: Endpoint): AuditDetails => ({
  account: encodeId("acc", accountId),
  mode,
  // Paths and queries of receivers often have secrets in them.
  host: new URL(url).host,
  types,
  status,
});
