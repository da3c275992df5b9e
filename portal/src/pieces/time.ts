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
const ISO_DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: LAGOS });

export const dayAndTime = (at: string): string => DAY_AND_TIME.format(new Date(at));
export const timeOf = (at: string): string => TIME.format(new Date(at));
export const clockOf = (at: string): string => CLOCK.format(new Date(at));
export const dayOf = (at: string): string => DAY.format(new Date(at));
export const today = (): string => ISO_DAY.format(new Date());

/** `0.6 s`, `2 min 5 s` */
export function lasted(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
