import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Order } from "./order.ts";
import { type OrderRow, orderFrom } from "./orders.repo.ts";

/** Which orders of an account and mode a list has. */
export interface OrderFilter {
  readonly accountId: Uuid;
  readonly mode: string;
  /** The services with those of their states that are wanted. */
  readonly among: readonly ServiceStates[];
  readonly recipient?: string;
  /** The recipient, or the customer's phone of an order for something else (a meter). */
  readonly to?: string;
  /** Whom a message is from, in the one form of `addressKey`. No index has it: alone, it needs the end of a stretch. */
  readonly sender?: string;
  /** The oldest order to look at: the end of a stretch. */
  readonly downTo?: Uuid;
  readonly groupId?: Uuid;
  readonly reference?: string;
  /** Those that one of these names, whichever it is. */
  readonly names?: OrderNames;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  /** The last id of the page before. */
  readonly beforeId?: Uuid;
  readonly limit: number;
}

export interface ServiceStates {
  readonly service: string;
  readonly states: readonly string[];
}

/** All that one text may name: an index has each of them. */
export interface OrderNames {
  /** The order, or the group with all of its orders. */
  readonly ids: readonly Uuid[];
  /** As they are stored: a phone, a chat user, a meter, a smartcard. */
  readonly recipients: readonly string[];
  /** Of the order, or of its group. */
  readonly reference: string;
}

/** Newest first. */
export async function listOrders(db: Db, filter: OrderFilter): Promise<readonly Order[]> {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const is = (condition: string, one: unknown) =>
    one === undefined ? "" : ` and ${condition.replace("?", value(one))}`;
  const [account, mode] = [value(filter.accountId), value(filter.mode)];
  const kinds = filter.among.flatMap(({ service, states }) => states.map((state) => ({ service, state })));
  // The id carries the time, so the time filters also say which partitions need not be read.
  const time = [
    is("id >= uuidv7_floor(?)", filter.createdAfter),
    is("id < uuidv7_floor(?)", filter.createdBefore),
    is("id < ?", filter.beforeId),
    is("id >= ?", filter.downTo),
  ].join("");

  /** Few orders have what is asked for, and an index has those: each is looked at. */
  const few = (condition: string, one: unknown) => {
    const wanted = value(kinds.map(({ service, state }) => `${service} ${state}`));
    const isSender = is("address_key(payload ->> 'from') = ?", filter.sender);
    const more = [
      is("reference = ?", filter.reference),
      is("group_id = ?", filter.groupId),
      is("recipient = ?", filter.recipient),
    ].join("");
    return `select id from orders
             where account_id = ${account} and mode = ${mode} and service || ' ' || state = any(${wanted})
                ${is(condition, one)}${more}${isSender}${time}
             order by id desc limit ${filter.limit}`;
  };

  /** Alike ones are one query each: several values in one would be sorted before the newest are taken. */
  const named = ({ ids, recipients, reference }: OrderNames) => {
    const target = (column: string) =>
      `${column} = (select target_id from order_keys
                     where account_id = ${account} and mode = ${mode} and kind = 'reference' and key = ?)`;
    return [
      ...ids.flatMap((id) => [few("id = ?", id), few("group_id = ?", id)]),
      ...recipients.flatMap((one) => [few("recipient = ?", one), few("payload ->> 'phone' = ?", one)]),
      few(target("id"), reference),
      few(target("group_id"), reference),
    ]
      .map((query) => `(${query})`)
      .join(" union ");
  };

  const ids = () => {
    if (filter.names !== undefined) return named(filter.names);
    if (filter.reference !== undefined)
      return few(
        `id = (select target_id from order_keys
                where account_id = ${account} and mode = ${mode} and kind = 'reference' and key = ?)`,
        filter.reference,
      );
    if (filter.to !== undefined)
      return `(${few("recipient = ?", filter.to)}) union (${few("payload ->> 'phone' = ?", filter.to)})`;
    if (filter.groupId ?? filter.recipient ?? filter.sender) return few("true", undefined);
    // Of each service and state the newest, by its own stretch of the index. Its order is named as the primary key's is not, so that the
    // planner does not walk all orders of the account by that, in the hope of meeting some.
    return `select listed.id
              from unnest(${value(kinds.map(({ service }) => service))}::text[],
                          ${value(kinds.map(({ state }) => state))}::text[]) k(service, state)
             cross join lateral (
               select id from orders
                where account_id = ${account} and mode = ${mode} and service = k.service and state = k.state${time}
                order by id desc nulls last limit ${filter.limit}) listed`;
  };

  const { rows } = await db.query<OrderRow>(
    // A look-up for each: joined, all orders may be read for a page of them.
    `select o.* from (select id from (${ids()}) found order by id desc limit ${filter.limit}) page
      cross join lateral (select * from orders where account_id = ${account} and id = page.id offset 0) o
      order by o.id desc`,
    values,
  );
  return rows.map(orderFrom);
}

/** Orders of an account that are looked at for one page of what no index has. */
export const STRETCH_ORDERS = 5_000;

/**
 * The end of the stretch of an account's orders, of all services and both modes, that a page of what no index has is taken from.
 * Undefined: it ends with the account's first order, or the first after `createdAfter`.
 */
export async function endOfStretch(
  db: Db,
  {
    accountId,
    beforeId,
    createdAfter,
    createdBefore,
  }: Pick<OrderFilter, "accountId" | "beforeId" | "createdAfter" | "createdBefore">,
): Promise<Uuid | undefined> {
  const { rows } = await db.query<{ id: Uuid }>(
    {
      name: "end_of_stretch",
      text: `select id from orders
              where account_id = $1 and id < coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
                and id < coalesce(uuidv7_floor($3), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
                and id >= coalesce(uuidv7_floor($4), '00000000-0000-0000-0000-000000000000'::uuid)
              order by id desc offset $5 limit 1`,
    },
    [accountId, beforeId ?? null, createdBefore ?? null, createdAfter ?? null, STRETCH_ORDERS - 1],
  );
  return rows[0]?.id;
}
