import { explainFailure } from "../kernel/failures.ts";
import { PERSONAL_KINDS, type PersonalKind, PURGED_NUMBER, PURGED_PHONE } from "../kernel/purged.ts";
import type { Facts } from "../ports/provider.ts";
import type { Order, OwnColumns } from "./order.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** The columns of an order that hold personal data. */
export type PersonalColumns = Pick<Order, "recipient" | "payload" | "facts" | "metadata">;

/** What was purged of the order, and when. */
type Purged = Readonly<Partial<Record<PersonalKind, string>>>;

export const purgedOf = ({ facts }: Pick<Order, "facts">): Purged => (facts?.purged as Purged | undefined) ?? {};

/** `numbers` takes what the others have left. */
export const kindsWith = (kind: PersonalKind): readonly PersonalKind[] =>
  kind === "numbers" ? PERSONAL_KINDS : [kind];

/**
 * An order's columns without this kind of personal data. Amounts, states, times and references stay, and each value keeps its form, so
 * that what shows and proves the order goes on working.
 */
export function withoutPersonalData(
  service: Pick<ServiceDefinition, "forget" | "recipient">,
  order: PersonalColumns,
  kind: PersonalKind,
  at: Date,
): PersonalColumns {
  const kinds = kindsWith(kind);
  let own: OwnColumns = { payload: order.payload, facts: order.facts };
  for (const one of kinds) own = service.forget(own, one);
  const takesNumbers = kinds.includes("numbers");
  const since = Object.fromEntries(kinds.map((one) => [one, at.toISOString()]));
  return {
    recipient: takesNumbers ? (service.recipient ? PURGED_NUMBER : PURGED_PHONE) : order.recipient,
    metadata: takesNumbers ? null : order.metadata,
    payload: own.payload,
    facts: {
      ...(kinds.includes("texts") ? withoutWords(own.facts) : own.facts),
      purged: { ...since, ...purgedOf(order) },
    },
  };
}

/** A failure without the vendor's words, which may quote the message or the number. */
function withoutWords(facts: Facts | null): Facts | null {
  const failure = facts?.failure as { readonly code: string; readonly detail: string } | undefined;
  return failure ? { ...facts, failure: { ...failure, detail: explainFailure(failure.code, undefined) } } : facts;
}

/** The value with every text in it emptied, however deep, but those with these names. */
export function emptyTexts(value: unknown, keep: ReadonlySet<string>): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return value.map((item) => emptyTexts(item, keep));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, keep.has(name) ? member : emptyTexts(member, keep)]),
  );
}
