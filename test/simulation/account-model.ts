import assert from "node:assert/strict";
import type { Uuid } from "../../src/kernel/ids.ts";
import type { NewOrder } from "../../src/orders/accept.repo.ts";
import type { Change, Order } from "../../src/orders/order.ts";
import type { MoneyMove } from "../../src/orders/steps.ts";

/** What the database must say of some customers, their wallets and orders, kept by plain arithmetic. */
export interface AccountModel {
  /** `node` took it along in memory, if one did. */
  accepted(node: Uuid | undefined, order: NewOrder): void;
  /** A node has the order now, as it read it; undefined when it claimed it for so short a time that it has lost it since. */
  claimed(node: Uuid | undefined, order: Order): void;
  /** The node gave it back before its lease ran out. */
  released(node: Uuid, order: Order): void;
  applied(node: Uuid, change: Change): void;
  readonly orders: ReadonlyMap<Uuid, ModelledOrder>;
  /** States that any order has come to. */
  readonly reached: ReadonlySet<string>;
  wallet(accountId: Uuid): { readonly balanceKobo: bigint; readonly heldKobo: bigint };
}

export interface ModelledOrder {
  readonly accountId: Uuid;
  readonly id: Uuid;
  readonly version: number;
  readonly state: string;
  /** Who may still hold it, and the epoch of the last claim. */
  readonly node: Uuid | undefined;
  readonly epoch: number;
}

export function makeAccountModel(balances: ReadonlyMap<Uuid, bigint>): AccountModel {
  const wallets = new Map([...balances].map(([id, balanceKobo]) => [id, { balanceKobo, heldKobo: 0n }]));
  const orders = new Map<Uuid, ModelledOrder>();
  /** Idempotency keys and references of what was accepted. */
  const keys = new Set<string>();
  /** Orders that count against their plan's quota. */
  const counted = new Map<string, number>();
  const reached = new Set<string>();
  const moved = new Map<Uuid, Set<MoneyMove>>();

  /** Each happens once, whatever is asked for; a loss is undone only where there was one. */
  const move = (order: Order, money: MoneyMove) => {
    const wallet = wallets.get(order.accountId)!;
    const before = moved.get(order.id) ?? new Set();
    const isRepeat = before.has(money);
    moved.set(order.id, before.add(money));
    if (money === "post" || money === "void") {
      assert.ok(!before.has(money === "post" ? "void" : "post") && !isRepeat, `${order.id}: its hold is settled twice`);
      wallet.heldKobo -= order.priceKobo;
      if (money === "post") wallet.balanceKobo -= order.priceKobo;
    } else if (money === "refund" && !isRepeat) wallet.balanceKobo += order.priceKobo;
  };

  return {
    orders,
    reached,
    accepted(node, order) {
      const wallet = wallets.get(order.accountId)!;
      assert.ok(!orders.has(order.id), `${order.id} is accepted twice`);
      wallet.heldKobo += order.priceKobo;
      const { accountId, id, state } = order;
      orders.set(id, { accountId, id, state, version: 1, node, epoch: node === undefined ? 0 : 1 });
      for (const { kind, key } of order.keys) {
        assert.ok(!keys.has(`${accountId} ${kind} ${key}`), `${kind} ${key} is spent twice`);
        keys.add(`${accountId} ${kind} ${key}`);
      }
      if (order.quota === null) return;
      const used = (counted.get(`${accountId} ${order.service}`) ?? 0) + 1;
      counted.set(`${accountId} ${order.service}`, used);
      assert.ok(used <= order.quota.limit, `${used} of ${order.quota.limit} orders in a period`);
    },
    claimed(node, order) {
      const { accountId, id, version, state, leaseEpoch } = order;
      const known = orders.get(id);
      assert.ok(known, `${id} was never accepted`);
      assert.equal(known.node, undefined, `${id} is claimed although another node holds it`);
      assert.equal(leaseEpoch, known.epoch + 1, "each claim raises the epoch by one");
      assert.equal(version, known.version + 1, "each claim counts a version");
      orders.set(id, { accountId, id, version, state, node, epoch: leaseEpoch });
    },
    released(node, { id, leaseEpoch }) {
      const known = orders.get(id)!;
      if (known.node === node && known.epoch === leaseEpoch) orders.set(id, { ...known, node: undefined });
    },
    applied(node, { before, after, money, needs, keepLease }) {
      const known = orders.get(before.id)!;
      assert.equal(known.version, before.version, `${before.id}: applied on a version that was no longer current`);
      if (needs === "own lease")
        assert.deepEqual([known.node, known.epoch], [node, before.leaseEpoch], `${before.id}: begun without its lease`);
      const holder = keepLease ? known.node : undefined;
      orders.set(before.id, { ...known, version: after.version, state: after.state, node: holder });
      reached.add(after.state);
      if (money) move(before, money);
    },
    wallet(accountId) {
      const wallet = wallets.get(accountId)!;
      assert.ok(wallet.balanceKobo >= wallet.heldKobo, "more is held than there is");
      return wallet;
    },
  };
}
