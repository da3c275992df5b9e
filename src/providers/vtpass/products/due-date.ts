/** Months by the first three letters of their English names. */
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `2025-02-06T00:00:00`, `2024-08-15`. */
const ISO = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ]|$)/;
/** `02-FEB-25`, `2 Feb 2025`. */
const DAY_FIRST = /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-/ ](?<month>[a-z]{3,9})[-/ ,]+(?<year>\d{4}|\d{2})$/i;
/** `November 24th, 2021`. */
const MONTH_FIRST = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/i;

/**
 * A due date as `YYYY-MM-DD`, in the forms of the vendor's pages and of public clients (docs/providers/vtpass.md). Undefined for
 * other forms and impossible days; of digits alone (`02/03/25`) it is unclear which is the month. The time of day and its zone are
 * not read: the date is the TV provider's own.
 */
export function readDueDate(text: string): string | undefined {
  const groups = [ISO, DAY_FIRST, MONTH_FIRST].map((form) => form.exec(text.trim())?.groups).find(Boolean);
  if (!groups) return undefined;
  const month = monthOf(groups.month ?? "");
  if (month === undefined) return undefined;
  const year = groups.year?.length === 2 ? `20${groups.year}` : groups.year;
  const date = `${year}-${month}-${groups.day?.padStart(2, "0")}`;
  const read = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date) ? date : undefined;
}

function monthOf(text: string): string | undefined {
  if (/^\d{2}$/.test(text)) return text;
  const index = MONTHS.indexOf(text.slice(0, 3).toLowerCase());
  return index === -1 ? undefined : String(index + 1).padStart(2, "0");
}
