import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import { encodeId } from "../kernel/ids.ts";
import { parseKobo } from "../kernel/kobo.ts";
import { lagosDay, startOfLagosDay } from "../kernel/lagos.ts";
import type { Log } from "../kernel/log.ts";
import type { Outcome, Provider } from "../ports/provider.ts";
import { type AttemptToAsk, markReconciled, takeAttemptToAsk } from "./attempts.repo.ts";
import { compare, type TheirWord } from "./compare.ts";
import { recordComparison } from "./record.ts";

/** When a day in Lagos is compared: after its last outcomes have arrived. */
const OPENS_AFTER_MS = 2 * HOUR_MS;
/** A day with an unavailable vendor is compared in the following nights. */
const DAYS_BACK = 3;
/** The pause before an unanswered attempt is queried again, and before an unresponsive vendor is. */
const AGAIN_AFTER_MS = 600_000;
const UNANSWERED_MAX = 3;
/** The interval while there is nothing to do. */
const REST_MS = 60_000;

export interface NightlyOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly providers: ReadonlyMap<string, Pick<Provider, "requery" | "ready">>;
}

/**
 * Compares the previous days' attempts with their vendors' current answers: one query per run, so that the run interval limits a
 * node's query rate. Any number of nodes may run it at once; each attempt is compared once.
 */
export function makeNightlyComparison({ db, clock, log, providers }: NightlyOptions): () => Promise<void> {
  const askable = [...providers].filter(([, provider]) => provider.requery !== undefined);
  const quietUntilMs = new Map<string, number>();
  const unanswered = new Map<string, number>();
  let turn = 0;
  let restUntilMs = 0;

  const take = (provider: string): Promise<AttemptToAsk | undefined> => {
    const now = clock.now();
    const to = startOfLagosDay(lagosDay(new Date(now.getTime() - OPENS_AFTER_MS)));
    return takeAttemptToAsk(db, {
      provider,
      from: new Date(to.getTime() - DAYS_BACK * 24 * HOUR_MS),
      to,
      now,
      askedBefore: new Date(now.getTime() - AGAIN_AFTER_MS),
    });
  };

  const ask = async (name: string, own: AttemptToAsk, requery: NonNullable<Provider["requery"]>) => {
    const { orderId, service, mode, attempt, recipient, payload, reference } = own;
    const word = wordOf(
      reference,
      // By our reference only: the vendor's own ID would not reveal a second delivery.
      await requery({
        orderId,
        service,
        mode,
        attempt,
        recipient,
        payload,
        reference,
        expiresAt: null,
        mayStillSend: () => false,
      }),
    );
    if (word === "unanswered") {
      const times = (unanswered.get(name) ?? 0) + 1;
      unanswered.set(name, times % UNANSWERED_MAX);
      if (times === UNANSWERED_MAX) quietUntilMs.set(name, clock.monotonicMs() + AGAIN_AFTER_MS);
      return;
    }
    unanswered.delete(name);
    const at = clock.now();
    const comparison = compare(new Map([[reference, own]]), word ? [word] : [], [own]);
    for (const { kind, caseId, status } of await recordComparison(db, comparison, {
      provider: name,
      source: "requery",
      at,
    }))
      if (status === "new")
        log.error(
          { case: encodeId("cas", caseId), provider: name, order: orderId, found: kind },
          "a vendor's books and ours differ: see ./afara cases list",
        );
    await markReconciled(db, name, reference, at);
  };

  return async () => {
    if (clock.monotonicMs() < restUntilMs) return;
    for (let looked = 0; looked < askable.length; looked++) {
      const [name, provider] = askable[turn++ % askable.length]!;
      if (!provider.ready() || clock.monotonicMs() < (quietUntilMs.get(name) ?? 0)) continue;
      const own = await take(name);
      if (own) return ask(name, own, (task) => provider.requery!(task));
    }
    restUntilMs = clock.monotonicMs() + REST_MS;
  };
}

/** The vendor's answer in a statement's terms; undefined: unknown reference. */
function wordOf(reference: string, outcome: Outcome): TheirWord | undefined | "unanswered" {
  const word = (status: NonNullable<TheirWord["status"]>): TheirWord => {
    const cost = "facts" in outcome ? outcome.facts?.cost : undefined;
    return {
      reference,
      ids: "providerReference" in outcome && outcome.providerReference !== undefined ? [outcome.providerReference] : [],
      costKobo: typeof cost === "string" ? parseKobo(cost) : undefined,
      amountKobo: undefined,
      status,
      word: outcome.kind,
      deliveries: status === "delivered" ? 1 : 0,
    };
  };
  switch (outcome.kind) {
    case "done":
      return word("delivered");
    case "accepted":
      return word(outcome.incomplete ? "delivered" : "pending");
    case "rejected":
      return word("failed");
    case "reversed":
      return word("reversed");
    case "not_found":
      return undefined;
    case "throttled":
    case "unknown":
      return "unanswered";
  }
}
