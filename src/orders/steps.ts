/**
 * The life of an order as data: for each service one table (state × answer → next state, money, event). The engine, tests,
 * docs and portal read it; nothing else decides a state. A step that is not in the table changes nothing and is recorded.
 */

import type { Charge } from "../kernel/charge.ts";

/** What can happen to an order. `report:<word>` is a vendor's later report in the service's own words. */
export type Answer =
  | "woken" // its time came (scheduled → queued)
  | "deferred" // it may not leave now (quiet hours)
  | "begun" // an attempt is committed, the call may follow
  | "accepted" // the vendor has it
  | "incomplete" // delivered, but a part that the customer needs (a token) has not come
  | "done" // proven done
  | "rejected" // certain: not done, and no vendor would do it
  | "exhausted" // certain: not done, and no route is left
  | "part_refused" // a later piece was refused after earlier ones were taken
  | "fallback" // it goes on by its fallback instead of ending
  | "again" // it goes back to the queue: certainly not taken now, or a repeat is allowed
  | "unknown" // the answer was lost and nothing more will be tried
  | "timed_out" // unknown for too long
  | "cancelled"
  | "expired" // its validity ran out before it left
  | "suspended" // the account was suspended when its time came
  | "reversed" // the vendor took it back
  | `report:${string}`;

/**
 * What happens to the hold: `post` takes the money, `void` returns it. After that: `refund` returns the price, `loss` books a
 * delivery that was not paid for, `loss_undone` reverses that.
 */
export type MoneyMove = "post" | "void" | "refund" | "loss" | "loss_undone";

export interface Step {
  readonly to: string;
  readonly money?: MoneyMove;
}

export interface StateFacts {
  /** The order has ended. Only later money, or a report that it went further still (read after delivered), leaves such a state. */
  readonly final: boolean;
  /** Whether the hold of an order in this state is undecided or was posted or voided, once: read by the proof of the ledger. */
  readonly hold: "pending" | "settled";
}

export interface StepTable {
  readonly states: Readonly<Record<string, StateFacts>>;
  readonly steps: Readonly<Record<string, Readonly<Partial<Record<Answer, Step>>>>>;
  /** States whose reaching is an event for subscribers (`sms.sent`). */
  readonly published: ReadonlySet<string>;
}

/** The step, or undefined when the answer changes nothing in that state. */
export const stepFor = (table: StepTable, state: string, answer: Answer): Step | undefined =>
  table.steps[state]?.[answer];

export const isFinal = (table: StepTable, state: string): boolean => table.states[state]?.final === true;

/** Every fault of a table, for the test that each service's table passes: unknown states, money decided twice or never. */
export function faultsOf(table: StepTable): readonly string[] {
  const faults: string[] = [];
  for (const [state, steps] of Object.entries(table.steps)) {
    const from = table.states[state];
    if (!from) faults.push(`${state} has steps but no facts`);
    for (const [answer, step] of Object.entries(steps) as [Answer, Step][]) {
      const to = table.states[step.to];
      if (!to) faults.push(`${state} × ${answer} leads to ${step.to}, which is no state`);
      else if (from?.final && !(to.final && (step.money ? LATER.has(step.money) : answer.startsWith("report:"))))
        faults.push(`${state} is final: ${answer} may only book a refund or a loss`);
      else if (from?.hold === "pending" && (to.hold === "settled") !== (step.money === "post" || step.money === "void"))
        faults.push(`${state} × ${answer}: money is decided exactly when the hold is (${step.money ?? "nothing"})`);
      else if (from?.hold === "settled" && (to.hold === "pending" || step.money === "post" || step.money === "void"))
        faults.push(`${state} × ${answer}: the hold was decided before`);
    }
  }
  return faults;
}

/** Where the money of an order is: undecided, taken, or given back. */
export type HoldState = "pending" | "posted" | "voided";

/** What subscribers are told of it. */
export const CHARGE_OF: Readonly<Record<HoldState, Charge>> = {
  pending: "held",
  posted: "charged",
  voided: "returned",
};

/** What may have become of the hold of an order, by its state: one word where every way into the state agrees. */
export function holdsByState({ states, steps }: StepTable): ReadonlyMap<string, ReadonlySet<HoldState>> {
  const holds = new Map(
    Object.entries(states).map(([state, { hold }]) => [state, new Set<HoldState>(hold === "pending" ? [hold] : [])]),
  );
  // A decided hold stays decided in every later state: repeated until no state gains a value.
  for (let learned = true; learned; ) {
    learned = false;
    for (const [from, answers] of Object.entries(steps))
      for (const { to, money } of Object.values(answers) as Step[]) {
        if (states[to]?.hold !== "settled") continue;
        const decided =
          money === "post" ? ["posted" as const] : money === "void" ? ["voided" as const] : holds.get(from)!;
        for (const hold of decided) {
          learned ||= !holds.get(to)!.has(hold);
          holds.get(to)!.add(hold);
        }
      }
  }
  return holds;
}

/** What may still happen to money after the end: the vendor took it back, or had done it after all. */
const LATER: ReadonlySet<MoneyMove> = new Set(["refund", "loss", "loss_undone"]);
