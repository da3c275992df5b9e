import { insertAccount } from "../accounts/accounts.repo.ts";
import type { Database } from "../db/database.ts";
import { placeEvents } from "../events/feed.repo.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { NO_METRICS } from "../ports/metrics.ts";
import { makeWebhooksPart, type WebhooksPart, type WebhooksParts } from "../webhooks/index.ts";
import { LOCAL } from "../webhooks/post.ts";
import { SILENT } from "./database.ts";
import { writeEvent } from "./events.ts";
import { makeRig } from "./http-rig.ts";
import { Receiver } from "./receiver.ts";
import { waitFor } from "./wait-for.ts";

/** A time of day that goes on, and may be put forward; leases run by the database's clock, so durations stay real. */
export class MovableClock implements Clock {
  #aheadMs = 0;
  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }
  monotonicMs(): number {
    return performance.now();
  }
  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}

export const WEBHOOK_SECRET = "secret of the tests";
const TYPES = ["parcel.sent", "parcel.delivered", "wallet.low", "webhook.disabled"];

/** A webhook as the API shows it. */
export interface ShownWebhook {
  readonly id: string;
  readonly status: string;
  readonly disabled_reason?: string;
  readonly missed_before?: string;
  readonly waiting: number;
  readonly public_key: string;
  readonly secret?: string;
}

/** Nodes that deliver webhooks of one database, an account with its key, and its events. */
export async function makeWebhooksRig(db: Database, { mode = "test" }: { readonly mode?: Mode } = {}) {
  const clock = new MovableClock();
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Test" });
  const owner = { accountId, mode };
  const listeners = new Set<() => void>();
  const hear = async () => {
    await placeEvents(db);
    for (const heard of listeners) heard();
  };
  const events: WebhooksParts["events"] = {
    types: TYPES,
    onFeed(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    bodies: async (told) =>
      told.map(({ id, type, at, sequence, subjectId, previousStatus }) => ({
        id: encodeId("evt", id),
        type,
        timestamp: at.toISOString(),
        api_version: "2026-11-27",
        sequence,
        data: { object: { id: subjectId }, previous_status: previousStatus },
      })),
  };
  // Receivers are on this machine, also those of live endpoints.
  const metrics = NO_METRICS;
  const parts = {
    db,
    clock,
    log: SILENT,
    metrics,
    secret: WEBHOOK_SECRET,
    isLocal: true,
    events,
    poster: { rules: LOCAL },
  };
  const http = await makeRig({
    key: { accountId, keyId: newUuid(), mode, scopes: ["read", "manage", "vend"] },
    options: { clock },
  });
  makeWebhooksPart({ ...parts, node: newUuid() }).serve(http.app);

  const call = async <Body = ShownWebhook>(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, body?: object) => {
    const answer = await http.app.inject({
      method,
      url,
      headers: { "x-api-key": http.key, host: "localhost", ...(body && { "content-type": "application/json" }) },
      ...(body && { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: (answer.body === "" ? undefined : answer.json()) as Body };
  };

  const create = async (url: string, more: object = {}): Promise<ShownWebhook & { readonly secret: string }> => {
    const made = await call<ShownWebhook & { secret: string }>("POST", "/webhooks", { url, ...more });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body;
  };
  const find = async (id: string): Promise<ShownWebhook> => (await call("GET", `/webhooks/${id}`)).body;
  const reach = (id: string, status: string) =>
    waitFor(`${id} is ${status}`, async () => {
      const found = await find(id);
      return found.status === status && found;
    });

  return {
    clock,
    owner,
    call,
    http,
    create,
    find,
    reach,
    hear,
    /** Deletes all endpoints. */
    async clear(): Promise<void> {
      const { body } = await call<{ data: readonly { readonly id: string }[] }>("GET", "/webhooks?limit=100");
      for (const { id } of body.data) await call("DELETE", `/webhooks/${id}`);
    },
    /** A receiver with an active endpoint. */
    async subscribe(more: object = {}) {
      const receiver = await Receiver.start();
      const endpoint = await create(receiver.url, more);
      await reach(endpoint.id, "active");
      return { receiver, endpoint };
    },
    /** Waits for something that comes with time, which it puts forward. */
    passTime: <T>(what: string, stepMs: number, look: () => T | undefined | false | Promise<T | undefined | false>) =>
      waitFor(what, async () => {
        const found = await look();
        if (found !== undefined && found !== false) return found;
        clock.advance(stepMs);
        for (const heard of listeners) heard(); // looks for what is due without waiting for the next poll
        return false;
      }),
    /** A node that delivers; stop it before the database's end. */
    async startNode(
      more: Partial<WebhooksParts> = {},
      dead: readonly Uuid[] = [],
    ): Promise<WebhooksPart & { readonly node: Uuid }> {
      const node = newUuid();
      const part = makeWebhooksPart({ ...parts, node, ...more });
      await part.start(dead);
      return { ...part, node };
    },
    /** Events of one subject, from `sequence` on, committed and placed. Returns their IDs. */
    async write(subjectId: Uuid, count = 1, sequence = 1, type = "parcel.sent"): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let index = 0; index < count; index++)
        ids.push(
          encodeId(
            "evt",
            await writeEvent(db, owner, { subjectId, sequence: sequence + index, type, at: clock.now() }),
          ),
        );
      await hear();
      return ids;
    },
  };
}
