import type { Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Order } from "../orders/order.ts";
import { findOrders } from "../orders/orders.repo.ts";
import type { EventObjects } from "../orders/service.ts";
import type { EventReaders } from "../ports/event-object.ts";
import type { FeedEvent } from "./feed.repo.ts";

/** An event as subscribers get it: in the feed, in a stream and in a webhook's body. */
export interface EventBody {
  readonly id: string;
  readonly object: "event";
  readonly type: string;
  readonly timestamp: string;
  readonly api_version: string;
  readonly sequence: number;
  readonly data: {
    /** What it is about, as it was then as far as is known; null when that is no longer kept. */
    readonly object: object | null;
    readonly previous_status: string | null;
  };
}

/** The bodies of events of one account and mode, in the same order. `mayVend`: whether tokens are shown in full. */
export type EventBodies = (
  events: readonly FeedEvent[],
  reader: { readonly mayVend: boolean },
) => Promise<readonly EventBody[]>;

export interface EventBodiesOptions {
  readonly db: Db;
  readonly apiVersion: string;
  /** By service. */
  readonly orderObjects: ReadonlyMap<string, EventObjects>;
  /** By type of event. */
  readonly readers: EventReaders;
}

export function makeEventBodies({ db, apiVersion, orderObjects, readers }: EventBodiesOptions): EventBodies {
  return async (events, { mayVend }) => {
    const isRead = ({ type }: FeedEvent) => Object.hasOwn(readers, type);
    const byType = Map.groupBy(events.filter(isRead), ({ type }) => type);
    const found = await Promise.all([
      ordersIn(
        events.filter((event) => !isRead(event)),
        mayVend,
      ),
      ...[...byType].map(([type, same]) => readers[type]!(same)),
    ]);
    const objects = new Map(found.flatMap((some) => [...some]));
    return events.map((event) => ({
      id: encodeId("evt", event.id),
      object: "event" as const,
      type: event.type,
      timestamp: event.at.toISOString(),
      api_version: apiVersion,
      sequence: event.sequence,
      data: { object: objects.get(event.id) ?? null, previous_status: event.previousStatus },
    }));
  };

  async function ordersIn(events: readonly FeedEvent[], mayVend: boolean): Promise<ReadonlyMap<Uuid, object>> {
    const orders = await findOrders(
      db,
      events.map(({ accountId, subjectId: id }) => ({ accountId, id })),
    );
    const told = events.flatMap((event) => {
      const order = orders.get(event.subjectId);
      return order ? [{ event, order: asOf(order, event) }] : [];
    });
    const shown = await Promise.all(
      [...Map.groupBy(told, ({ order }) => order.service)].map(async ([service, same]) => {
        const objects = await orderObjects.get(service)?.(
          same.map(({ order }) => order),
          mayVend,
        );
        return same.flatMap(({ event }, index) => (objects?.[index] ? [[event.id, objects[index]] as const] : []));
      }),
    );
    return new Map(shown.flat());
  }
}

/** The order in the state that the event announced. Why it failed later is nothing that was known then. */
function asOf(order: Order, { status, at }: FeedEvent): Order {
  if (order.state === status) return { ...order, updatedAt: at };
  const { failure: _later, ...facts } = order.facts ?? {};
  const hadEnded = order.endedAt !== null && order.endedAt <= at;
  return {
    ...order,
    state: status,
    updatedAt: at,
    facts: order.facts && facts,
    dueAt: null,
    endedAt: hadEnded ? order.endedAt : null,
  };
}
