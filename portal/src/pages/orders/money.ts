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

/** The states with which money is decided, by what became of it. */
const DECIDES: Readonly<Record<string, readonly string[]>> = {
  charge: ["sent", "delivered", "read", "undelivered", "expired", "rejected", "successful"],
  return: ["failed", "rejected", "expired", "cancelled"],
  refund: ["reversed"],
};

/** The steps with what each moved in the wallet: a line belongs to the step that decides it, or else to the last one. */
export function withMoney(steps: readonly Step[], lines: readonly Line[]): readonly Step[] {
  const said = new Map<number, string[]>();
  for (const line of lines.toReversed()) {
    const at = stepOf(steps, line);
    said.set(at, [...(said.get(at) ?? []), sayLine(line)]);
  }
  return steps.map((step, at) => ({ ...step, ...(said.has(at) && { money: said.get(at)?.join(", ") ?? "" }) }));
}

function stepOf(steps: readonly Step[], { kind }: Line): number {
  if (kind === "hold") return 0;
  const at = steps.findIndex(({ status }) => DECIDES[kind]?.includes(status));
  return at < 0 ? steps.length - 1 : at;
}
