import { daysOf } from "../catalogue/validity.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import type { Network } from "../kernel/networks.ts";
import type { Order } from "../orders/order.ts";
import type { AirtimeFacts } from "../ports/airtime-payload.ts";
import type { ServiceReceipts } from "../purchases/receipt.replies.ts";
import { line } from "../purchases/receipt.ts";
import { parsePlan } from "./parse-plan.ts";
import { AIRTIME_LINE } from "./product-line.ts";
import { isNetworkGuessed, storedAirtime } from "./stored.ts";

/** What a receipt of airtime or data has of its own. */
interface Own {
  readonly to: string;
  readonly network?: Network;
  readonly network_guess?: Network;
  readonly plan?: ReturnType<typeof planView>;
}

function own(order: Order): Own {
  const stored = storedAirtime(order);
  const learned = (order.facts as AirtimeFacts | null)?.network;
  const isGuess = learned === undefined && isNetworkGuessed(stored);
  return {
    to: formatE164(storedMsisdn(order.recipient)),
    ...(isGuess ? { network_guess: stored.network } : { network: learned ?? stored.network }),
    ...(stored.product === "data" && { plan: planView(stored.plan) }),
  };
}

/** Size and validity as the plan's name has them: its vendor says them nowhere else. */
function planView({ id, name }: { readonly id: string; readonly name: string }) {
  const { sizeMb, validityHours } = parsePlan(name);
  return {
    plan_id: id,
    name,
    size_mb: sizeMb,
    validity_days: validityHours === null ? null : daysOf(validityHours),
  };
}

const NAMES: Readonly<Record<Network, string>> = { mtn: "MTN", airtel: "Airtel", glo: "Glo", "9mobile": "9mobile" };

const MB_IN_GB = 1_024;

const sizeText = (mb: number): string =>
  mb % (MB_IN_GB / 4) === 0 && mb >= MB_IN_GB ? `${mb / MB_IN_GB} GB` : `${mb} MB`;

function validityText(name: string): string | undefined {
  const { validityHours: hours } = parsePlan(name);
  if (hours === null) return undefined;
  const [count, unit] = hours % 24 === 0 ? [hours / 24, "day"] : [hours, "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** What receipts of airtime and data say. */
export const AIRTIME_RECEIPTS: ServiceReceipts<Own> = {
  line: AIRTIME_LINE,
  own,
  lines({ product, to, network, network_guess: guess, plan }) {
    const known = network ?? guess;
    return {
      title: product === "data" ? "Data receipt" : "Airtime receipt",
      subtitle: known === undefined ? "" : NAMES[known],
      subject: [
        ...line("Phone", to),
        ...line("Network", network && NAMES[network]),
        ...line("Network by the number", guess && NAMES[guess]),
        ...line("Plan", plan?.name),
        ...line("Size", plan?.size_mb ? sizeText(plan.size_mb) : undefined),
        ...line("Validity", plan && validityText(plan.name)),
      ],
      what: product,
      unreal: "no real phone received anything",
    };
  },
};
