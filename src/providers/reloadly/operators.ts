import { type Kobo, koboToNaira } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import { type Network, parseNetwork } from "../../kernel/networks.ts";
import type { VendorPlan } from "../../ports/provider.ts";
import { type Fields, fieldsOf, isFields, textOf } from "./answer.ts";

/** One product of a network in Nigeria, as the vendor sells it: any amount of airtime, or bundles at fixed amounts. */
export interface Operator {
  readonly id: number;
  readonly network: Network;
  readonly sells: "airtime" | "data";
  readonly plans: readonly Plan[];
}

interface Plan {
  /** In naira, whatever our account's currency is. */
  readonly amountKobo: Kobo;
  /** Volume and validity are in it. */
  readonly name: string;
}

const NAME_CHARACTERS_MAX = 200;

/** Reads the list of Nigeria's operators; undefined when it is none. What can't be sold by us (PINs, combos) is left out. */
export function readOperators(body: unknown): readonly Operator[] | undefined {
  return Array.isArray(body) ? body.flatMap((entry) => readOperator(fieldsOf(entry)) ?? []) : undefined;
}

function readOperator(fields: Fields): Operator | undefined {
  const { operatorId, name, data, bundle, pin, comboProduct, country, destinationCurrencyCode } = fields;
  const id = Number(operatorId);
  const network = networkIn(textOf(name) ?? "");
  const isOurs = fieldsOf(country).isoName === "NG" && destinationCurrencyCode === "NGN";
  if (!Number.isSafeInteger(id) || id <= 0 || !network || !isOurs || pin === true || comboProduct === true)
    return undefined;
  const isBundle = data === true || bundle === true;
  return isBundle
    ? { id, network, sells: "data", plans: readPlans(fields) }
    : { id, network, sells: "airtime", plans: [] };
}

/** “9Mobile (Etisalat) Nigeria Data” names a network twice, and no other. */
function networkIn(name: string): Network | undefined {
  const named = new Set(name.split(/[^A-Za-z0-9]+/).flatMap((word) => parseNetwork(word) ?? []));
  return named.size === 1 ? [...named][0] : undefined;
}

/**
 * An account in naira has its amounts in the plain fields, another one in the local ones. Lists hold numbers (`750.5`), maps
 * have formatted decimals as keys (`"750.50"`), so both are compared as amounts.
 */
function readPlans(fields: Fields): readonly Plan[] {
  const isInNaira = fields.senderCurrencyCode === "NGN";
  const amounts = isInNaira ? fields.fixedAmounts : fields.localFixedAmounts;
  const texts = isInNaira ? fields.fixedAmountsDescriptions : fields.localFixedAmountsDescriptions;
  if (!Array.isArray(amounts)) return [];
  const described = new Map(
    Object.entries(isFields(texts) ? texts : {}).map(([amount, text]) => [readVendorNaira(amount), textOf(text)]),
  );
  return amounts.flatMap((entry) => {
    const amountKobo = readVendorNaira(entry);
    if (amountKobo === undefined || amountKobo <= 0n) return [];
    const name = described.get(amountKobo) ?? `${textOf(fields.name)} ${koboToNaira(amountKobo)}`;
    return [{ amountKobo, name: name.slice(0, NAME_CHARACTERS_MAX) }];
  });
}

/** Where a network's airtime is sold; the first in the list, should there be several. */
export const airtimeOperator = (operators: readonly Operator[], network: Network): number | undefined =>
  operators.find((operator) => operator.sells === "airtime" && operator.network === network)?.id;

/** A plan has no code of its own: it is the amount at an operator. What no code can be made of is not sold. */
export const plansOf = (operators: readonly Operator[]): readonly VendorPlan[] =>
  operators.flatMap(({ id, network, plans }) =>
    plans.flatMap(({ amountKobo, name }) => {
      const code = `${id}:${koboToNaira(amountKobo)}`;
      return readPlanCode(code) ? [{ code, group: network, name, costKobo: amountKobo }] : [];
    }),
  );

/** The reverse of a plan's code; undefined when it is none of ours. */
export function readPlanCode(code: string): { readonly operatorId: number; readonly amount: string } | undefined {
  const [, operatorId, amount] = /^(\d{1,9}):(\d{1,9}\.\d\d)$/.exec(code) ?? [];
  return operatorId === undefined || amount === undefined ? undefined : { operatorId: Number(operatorId), amount };
}
