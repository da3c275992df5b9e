import type { Models } from "../../api/client.ts";
import { moneyText } from "../../pieces/Money.tsx";
import type { Step } from "../../pieces/Timeline.tsx";

type Line = Models["StatementLine"];

const WORDS: Readonly<Record<string, string>> = {
  hold: "held",
  charge: "charged",
  return: "released",
  refund: "refunded",
};

const sayLine = ({ kind, amount, held_change: held }: Line): string => {
  const moved = amount.amount.replace("-", "") === "0.00" ? held : amount;
  return `${moneyText({ ...moved, amount: moved.amount.replace("-", "") })} ${WORDS[kind] ?? kind}`;
};

/** The steps with what each moved in the wallet: a line belongs to the step that is next to it in time. */
export function withMoney(steps: readonly Step[], lines: readonly Line[]): readonly Step[] {
  const said = new Map<number, string[]>();
  for (const line of lines.toReversed()) {
    const at = nearest(steps, line);
    said.set(at, [...(said.get(at) ?? []), sayLine(line)]);
  }
  return steps.map((step, at) => ({ ...step, ...(said.has(at) && { money: said.get(at)?.join(", ") ?? "" }) }));
}

function nearest(steps: readonly Step[], { kind, at }: Line): number {
  if (kind === "hold") return 0;
  const far = steps.map((step) => Math.abs(Date.parse(step.at) - Date.parse(at)));
  return far.lastIndexOf(Math.min(...far));
}
