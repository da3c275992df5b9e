import { readVendorNaira } from "../../kernel/naira.ts";
import type { VendorPlan } from "../../ports/provider.ts";
import { fieldsOf, isFields, readFields, textOf } from "../../vendor-text/fields.ts";

const NAME_CHARACTERS_MAX = 200;

/** The vendor's `serviceID`s whose variations are plans, with our group of each. */
export type PlanServices = readonly (readonly [serviceId: string, group: string])[];

/**
 * The plans of one service; undefined when the answer is not a whole list. The lists have “000” in `response_description`,
 * and the plans under `variations`, or under the older `varations`, or both.
 */
export function readPlans(serviceId: string, group: string, status: number, text: string): VendorPlan[] | undefined {
  const body = status === 200 ? readFields(text) : undefined;
  if (!body || textOf(body, ["response_description", "code"]) !== "000") return undefined;
  const content = fieldsOf(body.content);
  const list = content.variations ?? content.varations;
  if (!Array.isArray(list)) return undefined;
  const plans = list.flatMap((entry): VendorPlan[] => {
    const plan = isFields(entry) ? entry : {};
    const code = textOf(plan, ["variation_code"]);
    const name = textOf(plan, ["name"]);
    const costKobo = readVendorNaira(plan.variation_amount);
    // Without a price of its own it is no plan that can be sold.
    if (code === undefined || name === undefined || costKobo === undefined || costKobo <= 0n) return [];
    return [{ code: planCode(serviceId, code), group, name: name.slice(0, NAME_CHARACTERS_MAX), costKobo }];
  });
  const ofOneCode = Map.groupBy(plans, ({ code }) => code).values();
  return [...ofOneCode].flatMap(([first, ...others]) => {
    // With two prices, the right one is unknown.
    const isOne = first && others.every(({ costKobo }) => costKobo === first.costKobo);
    return isOne ? [first] : [];
  });
}

/** The services of a category, by `serviceID`; undefined when the answer is not a whole list. */
export function readServices(status: number, text: string): ReadonlySet<string> | undefined {
  const body = status === 200 ? readFields(text) : undefined;
  if (!body || textOf(body, ["response_description", "code"]) !== "000" || !Array.isArray(body.content))
    return undefined;
  return new Set(body.content.flatMap((entry) => (isFields(entry) ? (textOf(entry, ["serviceID"]) ?? []) : [])));
}

/** A plan's code names its service too: the vendor needs both to sell it. */
const planCode = (serviceId: string, variation: string): string => `${serviceId}:${variation}`;

export function splitPlanCode(code: string): { readonly serviceId: string; readonly variation: string } {
  const colon = code.indexOf(":");
  return { serviceId: code.slice(0, colon), variation: code.slice(colon + 1) };
}
