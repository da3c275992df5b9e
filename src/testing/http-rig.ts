import { randomBytes } from "node:crypto";
import Type from "typebox";
import { hashApiKey, makeApiKey } from "../accounts/api-key.ts";
import type { KeyRecord } from "../accounts/key-record.ts";
import { MemoryCounters } from "../counters/memory-counters.ts";
import type { Http } from "../http/edge.ts";
import { makeLimits } from "../http/limits.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, LIST_LIMIT_DEFAULT, Metadata, paging, Reference } from "../http/schemas.ts";
import { BULK_BODY_LIMIT_BYTES, buildHttp, type HttpOptions } from "../http/server.ts";
import type { Sessions } from "../http/session-entry.ts";
import { takePoints } from "../http/take-points.ts";
import type { Clock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { SMS_TAG } from "../sms/tag.ts";

/** A clock that stands until it is moved. */
export class StandingClock implements Clock {
  #ms = Date.parse("2026-11-27T09:00:00.000Z");
  now(): Date {
    return new Date(this.#ms);
  }
  monotonicMs(): number {
    return this.#ms;
  }
  advance(ms: number): void {
    this.#ms += ms;
  }
}

export interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

const PEPPER = "pepper of the tests";

/** A server with the routes of the tests, one good key, and everything around it in view. */
export async function makeRig(
  more: { key?: Partial<KeyRecord>; sessions?: Sessions; limit?: number; options?: Partial<HttpOptions> } = {},
) {
  const clock = new StandingClock();
  const lines: LogLine[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };

  const key = makeApiKey("test", randomBytes);
  const record: KeyRecord = {
    keyId: "key_1",
    accountId: "acc_1",
    accountSuspended: false,
    mode: "test",
    services: null,
    scopes: ["read", "send"],
    cidrs: null,
    expiresAt: null,
    revokedAt: null,
    rolled: null,
    spendCapKobo: null,
    spendsAs: "key_1",
    defaultSender: null,
    subscriptions: { sms: { plan: "free" } },
    ...more.key,
  };
  const records = new Map([[hashApiKey(PEPPER, key).toString("hex"), record]]);
  const lookups = { count: 0 };
  const used: string[] = [];
  const { app, authenticator } = await buildHttp({
    clock,
    log,
    keys: {
      lookup: {
        find: async (hash) => {
          lookups.count += 1;
          return records.get(hash.toString("hex"));
        },
      },
      hash: (text) => hashApiKey(PEPPER, text),
      used: (keyId) => used.push(keyId),
      ...(more.sessions && { sessions: more.sessions }),
    },
    limits: makeLimits(new MemoryCounters(clock)),
    serviceTags: [SMS_TAG],
    limitFor: () => more.limit ?? 1_000_000,
    readiness: { checks: {} },
    secret: "secret of the tests",
    ...more.options,
  });
  addTestRoutes(app);
  /** Replaces what the look-up knows of the key. */
  const setRecord = (changes: Partial<KeyRecord>) => {
    records.set(hashApiKey(PEPPER, key).toString("hex"), { ...record, ...changes });
    authenticator.forgetKeys();
  };
  return { app, authenticator, clock, key, lines, lookups, record, setRecord, used };
}

export type Rig = Awaited<ReturnType<typeof makeRig>>;

const Send = closed({
  to: Type.String({ minLength: 1, maxLength: 40 }),
  message: Type.String({ minLength: 1, maxLength: 2_000 }),
  route: Type.Optional(Type.Union([Type.Literal("transactional"), Type.Literal("promotional")])),
  validity_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 4_320 })),
  send_at: Type.Optional(Type.String({ format: "date-time" })),
  amount: Type.Optional(Type.Union([Type.String({ pattern: "^\\d+$" }), Type.Integer()])),
  reference: Type.Optional(Reference),
  metadata: Type.Optional(Metadata),
});

const Bulk = closed({ to: Type.Array(Type.String(), { minItems: 1, maxItems: 10_000 }), message: Type.String() });

const Accepted = Type.Object({ to: Type.String() }, { title: "AcceptedSms" });

/**
 * Routes of each kind: a POST with a body, one without, a list, one that costs nothing, a public one, one that breaks.
 */
function addTestRoutes(app: Http): void {
  const send = { service: "sms", scope: "send", policy: "sms-send" } as const;
  app.post(
    "/sms/send",
    {
      config: {
        auth: send,
        errors: ["insufficient_balance"],
        idempotency: "optional",
        requestExamples: { "A code": { to: "+2348031234567", message: "Your code is 123456" } },
        answerExamples: [{ status: 202, summary: "Accepted", value: { to: "+2348031234567" } }],
      },
      schema: {
        operationId: "sendSms",
        summary: "Send a message",
        description: "Sends it at once.",
        tags: ["SMS"],
        body: Send,
        response: { 202: Accepted },
      },
    },
    (request, reply) => {
      reply.code(202).send({ to: request.body.to });
    },
  );
  app.post(
    "/sms/bulk",
    { config: { auth: send }, bodyLimit: BULK_BODY_LIMIT_BYTES, schema: { hide: true, body: Bulk } },
    async (request, reply) => {
      const taken = await takePoints(reply, "sms-recipients", request.body.to.length);
      return taken.ok ? { accepted: request.body.to.length } : sendRefusal(reply, taken.error);
    },
  );
  app.post("/sms/cancel/:message_id", { config: { auth: send }, schema: { hide: true } }, () => ({ cancelled: true }));
  app.get(
    "/sms/messages",
    {
      config: { auth: { service: "sms", scope: "read", policy: "read" } },
      schema: { hide: true, querystring: closed({ limit: paging.limit }) },
    },
    (request) => ({ data: [], limit: request.query.limit ?? LIST_LIMIT_DEFAULT }),
  );
  app.get(
    "/wallet",
    { config: { auth: { scope: "manage", permission: "manage_account", policy: "read" } }, schema: { hide: true } },
    () => ({}),
  );
  app.get("/limits", { config: { auth: { scope: "read", policy: null } }, schema: { hide: true } }, () => ({}));
  app.get("/services", { config: { auth: "public" }, schema: { hide: true } }, () => ({ data: [] }));
  app.post("/broken", { config: { auth: send }, schema: { hide: true } }, () => {
    throw new Error("a secret of the inside");
  });
  app.post("/unavailable", { config: { auth: send }, schema: { hide: true } }, (_request, reply) =>
    sendRefusal(reply, refusal("provider_unavailable", "No route takes this order now.", { retryAfterSeconds: 5 })),
  );
}
