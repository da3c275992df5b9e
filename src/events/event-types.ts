import type { Fault } from "../kernel/refusal.ts";
import { nearest } from "../kernel/spelling.ts";

const ONE = "(?:\\*|[a-z][a-z0-9_]{0,39}\\.(?:\\*|[a-z][a-z0-9_]{0,39}))";
/** What a pattern of event types looks like: `*`, `sms.*`, `sms.delivered`. */
export const TYPE_PATTERN = `^${ONE}$`;
/** Up to 20 of them, separated by commas. */
export const TYPES_PATTERN = `^${ONE}(?:,${ONE}){0,19}$`;
/** The form, for people. */
export const TYPE_FORM = "`sms.delivered`, `sms.*` for all of SMS, or `*` for all";

/** Where in the request the pattern stands. */
type PlaceOf = (index: number) => Pick<Fault, "pointer" | "parameter">;

/** The faults of these patterns. */
export type FaultsOfTypes = (patterns: readonly string[], placeOf: PlaceOf) => readonly Fault[];

const selects = (pattern: string, type: string): boolean =>
  pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type;

/** Faults are patterns that select no event there is: a misspelt type would be waited for in vain. */
export function makeFaultsOfTypes(known: readonly string[]): FaultsOfTypes {
  const groups = new Set(known.map((type) => `${type.slice(0, type.indexOf("."))}.*`));
  const detailOf = (pattern: string): string => {
    const [close] = nearest(pattern, [...known, ...groups]);
    const meant = close === undefined ? "" : ` Did you mean ${close}?`;
    return `No event has the type ${pattern}.${meant} There are ${known.join(", ")}; \`sms.*\` stands for all that begin with \`sms.\`.`;
  };
  return (patterns, placeOf) =>
    patterns.flatMap((pattern, index) =>
      known.some((type) => selects(pattern, type))
        ? []
        : [{ ...placeOf(index), code: "not_allowed_value", detail: detailOf(pattern) } as const],
    );
}
