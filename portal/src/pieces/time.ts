/** All times are told as in Lagos, whatever clock the reader's machine has. */
const LAGOS = "Africa/Lagos";
const DAY_AND_TIME = new Intl.DateTimeFormat("en-GB", {
  timeZone: LAGOS,
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const TIME = new Intl.DateTimeFormat("en-GB", {
  timeZone: LAGOS,
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const CLOCK = new Intl.DateTimeFormat("en-GB", { timeZone: LAGOS, hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { timeZone: LAGOS, day: "numeric", month: "short", year: "numeric" });
const DAY_SHORT = new Intl.DateTimeFormat("en-GB", { timeZone: LAGOS, day: "numeric", month: "short" });
const MONTH = new Intl.DateTimeFormat("en-GB", { timeZone: LAGOS, month: "long", year: "numeric" });
const ISO_DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: LAGOS });

export const dayAndTime = (at: string): string => DAY_AND_TIME.format(new Date(at));
export const timeOf = (at: string): string => TIME.format(new Date(at));
export const clockOf = (at: string): string => CLOCK.format(new Date(at));
export const dayOf = (at: string): string => DAY.format(new Date(at));
/** `November 2026`, of `2026-11-29` */
export const monthOf = (day: string): string => MONTH.format(new Date(`${day}T12:00:00Z`));
/** `29 Nov`, of `2026-11-29` */
export const dayShort = (day: string): string => DAY_SHORT.format(new Date(`${day}T12:00:00Z`));
export const today = (): string => ISO_DAY.format(new Date());

/** `65 ms`, `1.2 s` */
export const took = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** `0.6 s`, `2 min 5 s` */
export function lasted(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Every day of a day's month: `2026-11-01` … `2026-11-30` */
export function daysOfMonth(day: string): readonly string[] {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${day.slice(0, 8)}${String(index + 1).padStart(2, "0")}`);
}

/** `23 h 59 min`, `4 min`; what has passed is `0 min`. */
export function remaining(until: string, now: number): string {
  const minutes = Math.max(0, Math.floor((Date.parse(until) - now) / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
