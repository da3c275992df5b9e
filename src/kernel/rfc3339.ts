/**
 * RFC 3339, section 5.6: a date, a time and a zone, `T` and `Z` in either case. Unlike `Date` it has no hour 24, which would be another
 * day than is written.
 */
const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Parses an RFC 3339 time to the millisecond; undefined if it is malformed or its date does not exist. */
export function readTime(text: string): Date | undefined {
  const [, day] = RFC_3339.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const at = new Date(text.toUpperCase());
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Like `readTime`, for a text already validated by a request's schema. Throws on any other. */
export function timeOf(text: string): Date {
  const at = readTime(text);
  if (!at) throw new RangeError("a time that no schema checked");
  return at;
}

/** Whether a text is an existing date, `2026-11-27`. `Date` reads 30 February as 2 March. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
