import type { Fault } from "../kernel/refusal.ts";

/** What a pattern of event types looks like: `*`, `sms.*`, `sms.delivered`. */
export const TYPE_PATTERN = "^(?:\\*|[a-z][a-z0-9_]{0,39}\\.(?:\\*|[a-z][a-z0-9_]{0,39}))$";

const selects = (pattern: string, type: string): boolean =>
  pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type;

/** The faults of patterns that select no event there is: a misspelt type would be waited for in vain. */
export const makeFaultsOfTypes =
  (known: readonly string[]) =>
  (patterns: readonly string[]): readonly Fault[] =>
    patterns.flatMap((pattern, index) =>
      known.some((type) => selects(pattern, type))
        ? []
        : [
            {
              pointer: `/types/${index}`,
              code: "not_allowed_value",
              detail: `No event has the type ${pattern}. There are ${known.join(", ")}; \`sms.*\` stands for all that begin with \`sms.\`.`,
            } as const,
          ],
    );
