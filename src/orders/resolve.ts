import type { Db } from "../db/database.ts";
import { explainFailure } from "../kernel/failures.ts";
import { newUuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Facts } from "../ports/provider.ts";
import { attemptNeeds } from "./attempt.ts";
import type { Change, Order } from "./order.ts";
import { changeOrders } from "./orders.repo.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { type Answer, isFinal, stepFor } from "./steps.ts";
import { transition } from "./transition.ts";

/**
 * An operator ends an order whose outcome is unknown, with a proof in writing: what the vendor told them, and when. Or records that a
 * vendor took back what it had delivered, where that vendor's answers can't say so.
 */
export interface Resolution {
  /** The final state to end it in. */
  readonly as: string;
  readonly proof: string;
  /** Facts that the vendor told besides, as the service stores them, with its secrets sealed. */
  readonly facts?: Facts;
}

/** Besides reports: what a vendor could have answered, or what a timeout would have decided. */
const PROVABLE: readonly Answer[] = ["done", "rejected", "timed_out"];

/** The ends that may be proven of the order as it is, by name, each with the answer that it stands for. */
export function provableEnds({ table }: ServiceDefinition, { state }: Order): ReadonlyMap<string, Answer> {
  const reports = (Object.keys(table.steps[state] ?? {}) as Answer[]).filter((answer) => answer.startsWith("report:"));
  const ends = new Map<string, Answer>();
  for (const answer of [...reports, ...PROVABLE]) {
    const step = stepFor(table, state, answer);
    if (step && isFinal(table, step.to) && !ends.has(step.to)) ends.set(step.to, answer);
  }
  return ends;
}

/** The step that the proven answer has in the service's table, under the same rules as a report: state, money and event. */
export function decideResolved(
  service: ServiceDefinition,
  order: Order,
  { as, proof, facts = {} }: Resolution,
  at: Date,
): Result<Change> {
  const refused = (detail: string) => refuse(refusal("invalid_state", detail));
  if (proof.trim() === "")
    return refused("A proof is needed: what the vendor said of this order, who said it, and when.");
  if (
    isFinal(service.table, order.state) &&
    stepFor(service.table, order.state, "reversed")?.to === as &&
    as !== order.state
  )
    return ok(
      transition(service, order, "reversed", { at, needs: "no lease", detail: { resolved: as, proof: proof.trim() } }),
    );
  if (isFinal(service.table, order.state))
    return refused(
      `It has ended as ${order.state}, and an end stays.${onlyReversed(service, order)}${noEnd(service, as)}`,
    );
  // Only such an order would time out; a purchase's vendor is asked without limit.
  const isInDoubt =
    stepFor(service.table, order.state, "timed_out") !== undefined || attemptNeeds(order) === "vendor's word";
  if (!isInDoubt)
    return refused(
      `It is ${order.state}: no answer about it was lost, so the gateway will end it. See ./afara orders show`,
    );
  const ends = provableEnds(service, order);
  const answer = ends.get(as);
  if (answer === undefined) return refused(`It can be resolved as ${[...ends.keys()].join(", ")}; not as "${as}".`);
  const code = failureOf(service, order, answer);
  return ok(
    transition(service, order, answer, {
      at,
      needs: "no lease",
      isLast: true, // a person ends it: no fallback is sent after that
      patch: {
        begunAt: null,
        facts: {
          ...order.facts,
          ...facts,
          ...(code !== undefined && { failure: { code, detail: explainFailure(code, "settled by the operator") } }),
        },
      },
      detail: { resolved: as, proof: proof.trim() },
    }),
  );
}

const onlyReversed = ({ table }: ServiceDefinition, { state }: Order): string => {
  const to = stepFor(table, state, "reversed")?.to;
  return to === undefined || to === state ? "" : ` If its vendor took it back, resolve it as ${to}.`;
};

/** Reported together with the command's other faults. */
const noEnd = ({ table }: ServiceDefinition, as: string): string => {
  const ends = Object.keys(table.states).filter((state) => isFinal(table, state));
  return ends.includes(as) ? "" : ` Besides, "${as}" is not an end that there is: those are ${ends.join(", ")}.`;
};

function failureOf({ reports }: ServiceDefinition, { ambiguity }: Order, answer: Answer): string | undefined {
  if (answer === "timed_out") return "outcome_unknown";
  if (answer === "rejected") return ambiguity === "requery" ? "vendor_failed" : "rejected_by_network";
  return answer.startsWith("report:") ? reports.failure(answer.slice("report:".length)) : undefined;
}

/** Resolves it within the caller's transaction. `order` must be as it is stored now; no node may be at work on it. */
export async function resolveOrder(
  tx: Db,
  service: ServiceDefinition,
  order: Order,
  resolution: Resolution,
  at: Date,
): Promise<Result<Order>> {
  const decided = decideResolved(service, order, resolution, at);
  if (!decided.ok) return decided;
  // The change needs nobody's lease, so the node has no name that matters.
  const { stale } = await changeOrders(tx, newUuid(), [decided.value]);
  if (stale.size > 0)
    return refuse(
      refusal("invalid_state", "A node is at work on it at this moment. Run the command again in a few seconds."),
    );
  return ok(decided.value.after);
}
