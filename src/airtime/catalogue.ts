import { hash } from "node:crypto";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Network } from "../kernel/networks.ts";
import type { VendorPlan } from "../ports/provider.ts";
import { daysOf, type PlanFacts, parsePlan } from "./parse-plan.ts";

/** A data plan of one provider, as our copy has it. */
export interface DataPlan extends PlanFacts {
  /** Stable, and never another plan's. */
  readonly planId: string;
  readonly provider: string;
  readonly code: string;
  /** How many plans had the vendor's code before. */
  readonly generation: number;
  readonly network: Network;
  readonly name: string;
  readonly costKobo: Kobo;
  readonly addedAt: Date;
  readonly changedAt: Date;
  /** Not on the vendor's list since. */
  readonly goneAt: Date | null;
}

export type PlanChange = "added" | "repriced" | "renamed" | "gone" | "back";

/** What a fetched list changes, plan by plan: the plan as it is from now on, and what happened to it. */
export interface PlanUpdate {
  readonly plan: DataPlan;
  readonly changes: readonly PlanChange[];
}

/** Compares a provider's whole list with what is known of it. Plans that the list no longer has are gone, not forgotten. */
export function compareLists(
  provider: string,
  known: readonly DataPlan[],
  listed: readonly VendorPlan[],
  at: Date,
): readonly PlanUpdate[] {
  const latest = new Map<string, DataPlan>();
  for (const plan of known)
    if (plan.generation >= (latest.get(plan.code)?.generation ?? 0)) latest.set(plan.code, plan);
  // A code that is listed twice counts once: the first.
  const current = new Map<string, VendorPlan>();
  for (const plan of listed) if (!current.has(plan.code)) current.set(plan.code, plan);

  const updates: PlanUpdate[] = [];
  const add = (plan: VendorPlan, generation: number) =>
    updates.push({ plan: newPlan(provider, plan, generation, at), changes: ["added"] });
  for (const plan of current.values()) {
    const before = latest.get(plan.code);
    if (!before) add(plan, 0);
    else if (isSamePlan(before, plan)) updates.push(...updateOf(before, plan, at));
    else {
      if (before.goneAt === null) updates.unshift(goneOf(before, at));
      add(plan, before.generation + 1);
    }
  }
  for (const plan of latest.values())
    if (plan.goneAt === null && !current.has(plan.code)) updates.push(goneOf(plan, at));
  return updates;
}

const goneOf = (plan: DataPlan, at: Date): PlanUpdate => ({
  plan: { ...plan, goneAt: at, changedAt: at },
  changes: ["gone"],
});

/**
 * Whether a code still means what its plan promised: size and validity. Both names are read by the present rules, so that better
 * rules alone make no plan another one; names that say neither must be equal.
 */
function isSamePlan(before: DataPlan, after: VendorPlan): boolean {
  if (before.name === after.name) return before.network === after.group;
  const [was, is] = [parsePlan(before.name), parsePlan(after.name)];
  const said = was.sizeMb !== null || was.validityHours !== null;
  return said && was.sizeMb === is.sizeMb && was.validityHours === is.validityHours && before.network === after.group;
}

function updateOf(before: DataPlan, after: VendorPlan, at: Date): PlanUpdate[] {
  const facts = parsePlan(after.name);
  const changes: PlanChange[] = [
    ...(before.goneAt === null ? [] : (["back"] as const)),
    ...(before.costKobo === after.costKobo ? [] : (["repriced"] as const)),
    ...(before.name === after.name ? [] : (["renamed"] as const)),
  ];
  const isReadAnew =
    facts.sizeMb !== before.sizeMb || facts.validityHours !== before.validityHours || facts.kind !== before.kind;
  if (changes.length === 0 && !isReadAnew) return [];
  const { name, costKobo } = after;
  return [{ plan: { ...before, ...facts, name, costKobo, changedAt: at, goneAt: null }, changes }];
}

function newPlan(
  provider: string,
  { code, group, name, costKobo }: VendorPlan,
  generation: number,
  at: Date,
): DataPlan {
  const network = group as Network;
  const facts = parsePlan(name);
  const planId = planIdOf({ provider, code, generation, network, ...facts });
  return {
    planId,
    provider,
    code,
    generation,
    network,
    name,
    costKobo,
    ...facts,
    addedAt: at,
    changedAt: at,
    goneAt: null,
  };
}

const SUFFIX_CHARACTERS = 8;

/** `mtn-1gb-30d-6xaa0st1`: what it is, for people, and 40 bits of a hash of whose it is, so that no two are alike. */
export function planIdOf(plan: PlanFacts & Pick<DataPlan, "provider" | "code" | "generation" | "network">): string {
  const { provider, code, generation, network, sizeMb, validityHours } = plan;
  const words = [
    network,
    ...(sizeMb === null ? [] : [sizeWord(sizeMb)]),
    ...(validityHours === null ? [] : [validityWord(validityHours)]),
  ];
  return [...words, base32(hash("sha256", `${provider}\n${code}\n${generation}`, "buffer"))].join("-");
}

const inWords = (value: number): string => String(value).replace(".", "p");
const sizeWord = (mb: number): string =>
  mb >= 1_024 ? `${inWords(Math.round((mb / 1_024) * 100) / 100)}gb` : `${mb}mb`;
const validityWord = (hours: number): string => (hours % 24 === 0 ? `${daysOf(hours)}d` : `${hours}h`);

/** Crockford's alphabet, as in our other ids: no letter looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const base32 = (bytes: Buffer): string =>
  [...bytes.subarray(0, SUFFIX_CHARACTERS)].map((byte) => ALPHABET[byte % 32]).join("");

/** A list that could not be fetched for so long is not believed any more. */
export const LIST_KEPT_MS = 48 * HOUR_MS;

/** Whether a plan may be sold: on its vendor's list, and the list is not too old. */
export const isAvailable = (plan: Pick<DataPlan, "goneAt">, fetchedAt: Date | undefined, now: Date): boolean =>
  plan.goneAt === null && fetchedAt !== undefined && now.getTime() - fetchedAt.getTime() <= LIST_KEPT_MS;
