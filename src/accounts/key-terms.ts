import type { ConfigFile } from "../config/operator-file.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Fault } from "../kernel/refusal.ts";
import { parseCidr } from "./cidr.ts";
import { SCOPES } from "./scopes.ts";

/** A key's terms. A replacement key has the same. */
export interface KeyTerms {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** Null: all. */
  readonly services: readonly string[] | null;
  readonly scopes: readonly string[];
  /** Addresses or CIDR blocks; null: any. */
  readonly cidrs: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** Per Lagos day; null: no cap. */
  readonly spendCapKobo: Kobo | null;
}

/** All faults of a new key's terms. */
export function faultsOfTerms(
  terms: KeyTerms,
  { services }: Pick<ConfigFile, "services">,
  now: Date,
): readonly Fault[] {
  const faults: Fault[] = [];
  const wrong = (pointer: string, detail: string) => faults.push({ pointer, code: "out_of_range", detail });
  const among = (what: string, values: readonly string[], known: readonly string[]) => {
    for (const [index, value] of values.entries())
      if (!known.includes(value))
        wrong(`/${what}/${index}`, `"${value}" is not among the ${what}: ${known.join(", ")}.`);
  };
  among("services", terms.services ?? [], Object.keys(services));
  among("scopes", terms.scopes, SCOPES);
  if (terms.services?.length === 0) wrong("/services", "A key for no service can do nothing; leave it away for all.");
  if (terms.scopes.length === 0) wrong("/scopes", `A key needs one scope at least: ${SCOPES.join(", ")}.`);
  for (const [index, cidr] of (terms.cidrs ?? []).entries())
    if (!parseCidr(cidr))
      wrong(`/cidrs/${index}`, `"${cidr}" is neither an address nor a block of addresses, e.g. 203.0.113.0/24.`);
  if (terms.cidrs?.length === 0) wrong("/cidrs", "A key for no address can't be used; leave it away for any.");
  if (terms.expiresAt && terms.expiresAt <= now) wrong("/expires_at", "The key would have expired already.");
  return faults;
}
