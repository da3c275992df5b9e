import { hash } from "node:crypto";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { PlanReading } from "./plan-reading.ts";

/** A plan of one provider, as our copy has it. */
export interface Plan<Group extends string = string> {
  /** Stable, and never another plan's. */
  readonly planId: string;
  readonly provider: string;
  readonly code: string;
  /** How many plans had the vendor's code before. */
  readonly generation: number;
  /** Whose plan it is, by our code: a network. */
  readonly group: Group;
  readonly name: string;
  readonly costKobo: Kobo;
  readonly addedAt: Date;
  readonly changedAt: Date;
  /** Not on the vendor's list since. */
  readonly goneAt: Date | null;
}

/** A plan on a vendor's list. */
export type Listed<Group extends string> = Pick<Plan<Group>, "code" | "group" | "name" | "costKobo">;

export type PlanChange = "added" | "repriced" | "renamed" | "gone" | "back";

/** What a fetched list changes, plan by plan: the plan as it is from now on, and what happened to it. */
export interface PlanUpdate<Group extends string = string> {
  readonly plan: Plan<Group>;
  readonly changes: readonly PlanChange[];
}

/** How the plans of a product are told apart, see `PlanReading`. */
type Reading<Facts> = Pick<PlanReading<never, Facts>, "read" | "isSame" | "words">;

/** Compares a provider's whole list with what is known of it. Plans that the list no longer has are gone, not forgotten. */
export function compareLists<Group extends string, Facts>(
  reading: Reading<Facts>,
  provider: string,
  known: readonly Plan<Group>[],
  listed: readonly Listed<Group>[],
  at: Date,
): readonly PlanUpdate<Group>[] {
  const latest = new Map<string, Plan<Group>>();
  for (const plan of known)
    if (plan.generation >= (latest.get(plan.code)?.generation ?? 0)) latest.set(plan.code, plan);
  // A code that is listed twice counts once: the first.
  const current = new Map<string, Listed<Group>>();
  for (const plan of listed) if (!current.has(plan.code)) current.set(plan.code, plan);

  const updates: PlanUpdate<Group>[] = [];
  const add = (plan: Listed<Group>, generation: number) =>
    updates.push({ plan: newPlan(reading, provider, plan, generation, at), changes: ["added"] });
  for (const plan of current.values()) {
    const before = latest.get(plan.code);
    if (!before) add(plan, 0);
    else if (isSamePlan(reading, before, plan)) updates.push(...updateOf(before, plan, at));
    else {
      if (before.goneAt === null) updates.unshift(goneOf(before, at));
      add(plan, before.generation + 1);
    }
  }
  for (const plan of latest.values())
    if (plan.goneAt === null && !current.has(plan.code)) updates.push(goneOf(plan, at));
  return updates;
}

const goneOf = <Group extends string>(plan: Plan<Group>, at: Date): PlanUpdate<Group> => ({
  plan: { ...plan, goneAt: at, changedAt: at },
  changes: ["gone"],
});

/**
 * Whether a code still means what its plan promised. Both names are read by the present rules, so that better rules alone make no plan
 * another one.
 */
const isSamePlan = <Facts>({ read, isSame }: Reading<Facts>, before: Plan, after: Listed<string>): boolean =>
  before.group === after.group && (before.name === after.name || isSame(read(before.name), read(after.name)));

function updateOf<Group extends string>(
  before: Plan<Group>,
  { name, costKobo }: Listed<Group>,
  at: Date,
): PlanUpdate<Group>[] {
  const changes: PlanChange[] = [
    ...(before.goneAt === null ? [] : (["back"] as const)),
    ...(before.costKobo === costKobo ? [] : (["repriced"] as const)),
    ...(before.name === name ? [] : (["renamed"] as const)),
  ];
  return changes.length === 0 ? [] : [{ plan: { ...before, name, costKobo, changedAt: at, goneAt: null }, changes }];
}

function newPlan<Group extends string, Facts>(
  reading: Reading<Facts>,
  provider: string,
  { code, group, name, costKobo }: Listed<Group>,
  generation: number,
  at: Date,
): Plan<Group> {
  const words = [group, ...reading.words(reading.read(name))];
  const planId = [...words, suffixOf({ provider, code, generation })].join("-");
  return { planId, provider, code, generation, group, name, costKobo, addedAt: at, changedAt: at, goneAt: null };
}

const SUFFIX_CHARACTERS = 8;

/** The end of `mtn-1gb-30d-6xaa0st1`: 40 bits of a hash of whose plan it is, so that no two ids are alike. */
const suffixOf = ({ provider, code, generation }: Pick<Plan, "provider" | "code" | "generation">): string =>
  base32(hash("sha256", `${provider}\n${code}\n${generation}`, "buffer"));

/** Crockford's alphabet, as in our other ids: no letter looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const base32 = (bytes: Buffer): string =>
  [...bytes.subarray(0, SUFFIX_CHARACTERS)].map((byte) => ALPHABET[byte % 32]).join("");

/** A list that could not be fetched for so long is not believed any more. */
export const LIST_KEPT_MS = 48 * HOUR_MS;

/** Whether a plan may be sold: on its vendor's list, and the list is not too old. */
export const isAvailable = (plan: Pick<Plan, "goneAt">, fetchedAt: Date | undefined, now: Date): boolean =>
  plan.goneAt === null && fetchedAt !== undefined && now.getTime() - fetchedAt.getTime() <= LIST_KEPT_MS;
