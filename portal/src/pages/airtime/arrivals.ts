import type { Models } from "../../api/client.ts";
import type { Shown } from "../../pieces/Handset.tsx";
import { moneyText } from "../../pieces/Money.tsx";

const SHOWN_MAX = 3;

/** The newest airtime and data on a phone, the newest last. */
export function arrivalsOf(
  handset: Models["Handset"] | undefined,
  plans: readonly Models["DataPlan"][] | undefined,
): readonly Shown[] {
  const planOf = (id: string) => plans?.find(({ plan_id }) => plan_id === id);
  const airtime = (handset?.airtime ?? []).map(({ amount, purchase_id, at, reversed }) =>
    arrival(purchase_id, at, `${moneyText(amount)} airtime`, "Airtime", reversed),
  );
  const data = (handset?.data ?? []).map(({ plan, purchase_id, at, reversed }) =>
    arrival(purchase_id, at, planOf(plan)?.name ?? plan, "Data", reversed),
  );
  return [...airtime, ...data].sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(-SHOWN_MAX);
}

const arrival = (id: string, at: string, what: string, from: string, isReversed = false): Shown => ({
  id: `${id} ${isReversed}`,
  from,
  text: isReversed ? `${what}, taken back` : `${what} received`,
  at,
  kind: "notice",
});
