import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { NewGroup, NewOrder, NotAccepted, OrderKey } from "./accept.repo.ts";
import type { Acceptance, AcceptedGroup } from "./acceptance.ts";
import type { OrderGroup } from "./groups.repo.ts";
import type { Order } from "./order.ts";
import {
  answerBefore,
  type Earlier,
  earlierTarget,
  forgetIfOver,
  type KeyScope,
  type PrefixOf,
  type RequestKeys,
  repeated,
} from "./repeats.ts";

/** The new order, or the one that an earlier request with the same key or reference made. */
export interface AcceptedOnce {
  readonly order: Order | NewOrder;
  readonly replayed: boolean;
}

/** The group with the items that were refused, or the group that an earlier request with the same key or reference made. */
export type GroupAcceptedOnce = Pick<AcceptedGroup, "items"> | { readonly earlier: OrderGroup };

/** Why an order was not accepted, other than a key or reference in use. */
export type Declined = Exclude<NotAccepted, { kind: "taken" }>;
type Taken = Extract<NotAccepted, { kind: "taken" }>;

export interface OnceAcceptorOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly acceptance: Acceptance;
  readonly prefixOf: PrefixOf;
}

/** Idempotent acceptance: however often a request comes, it makes one order, or one group. */
export class OnceAcceptor {
  readonly #options: OnceAcceptorOptions;

  constructor(options: OnceAcceptorOptions) {
    this.#options = options;
  }

  /** See `Orders.acceptOnce`. */
  async accept(
    order: NewOrder,
    keys: RequestKeys,
    declined: (why: Declined) => Result<AcceptedOnce> | Promise<Result<AcceptedOnce>>,
  ): Promise<Result<AcceptedOnce>> {
    for (let isRetry = false; ; isRetry = true) {
      const answer = await this.#options.acceptance.accept(order);
      if (!answer.ok) return answer;
      if (answer.value.kind === "accepted") return ok({ order, replayed: false });
      const { why } = answer.value;
      if (why.kind !== "taken") return declined(why);
      const earlier = await this.#earlierBy(why, order, keys, isRetry);
      if (earlier === "expired") continue;
      if (!earlier.ok) return earlier;
      return earlier.value.order ? ok({ order: earlier.value.order, replayed: true }) : refuse(KEY_REUSED);
    }
  }

  /** See `Orders.acceptGroupOnce`. */
  async acceptGroup(
    group: NewGroup,
    orders: readonly [NewOrder, ...NewOrder[]],
    keys: RequestKeys,
    declined: (why: Declined) => Refusal,
    gone?: AbortSignal,
  ): Promise<Result<GroupAcceptedOnce>> {
    for (let isRetry = false; ; isRetry = true) {
      const answer = await this.#options.acceptance.acceptGroup(group, orders, gone);
      if (!answer.ok) return answer;
      const { whole, items } = answer.value;
      if (!whole) return ok({ items });
      if (whole.kind !== "taken") return refuse(declined(whole));
      const earlier = await this.#earlierBy(whole, orders[0], keys, isRetry);
      if (earlier === "expired") continue;
      if (!earlier.ok) return earlier;
      return earlier.value.group ? ok({ earlier: earlier.value.group }) : refuse(KEY_REUSED);
    }
  }

  /** See `Orders.repeatOr`. */
  async repeatOr(
    scope: KeyScope,
    keys: readonly OrderKey[],
    refused: Refusal | (() => Promise<Refusal>),
  ): Promise<Result<AcceptedOnce>> {
    const { db, clock } = this.#options;
    const order = (await earlierTarget(db, scope, keys, clock.now()))?.order;
    if (order) return ok({ order, replayed: true });
    return refuse(typeof refused === "function" ? await refused() : refused);
  }

  /** See `Orders.answerBefore`. */
  answerBefore(scope: KeyScope, keys: readonly OrderKey[]): Promise<Result<Earlier> | undefined> {
    const { db, clock, prefixOf } = this.#options;
    return answerBefore(db, scope, keys, clock.now(), prefixOf);
  }

  /** `expired`: the key has outlived its retention and is free now, so the request is accepted anew. Tried once a request. */
  async #earlierBy(
    taken: Taken,
    scope: KeyScope,
    keys: RequestKeys,
    isRetry: boolean,
  ): Promise<Result<Earlier> | "expired"> {
    const { db, clock, prefixOf } = this.#options;
    if (!isRetry && (await forgetIfOver(db, scope, taken, keys, clock.now()))) return "expired";
    return repeated(db, scope, taken, keys.fingerprint, prefixOf);
  }
}

/** The same request, by its fingerprint, made something else: an order where a group is asked for, or the reverse. */
const KEY_REUSED = refusal(
  "idempotency_key_reused",
  "This Idempotency-Key was used for another request. Use a new key for each new order.",
);
