import { HOUR_MS } from "../../kernel/duration.ts";
import type { Code } from "./codes.ts";

const LAGOS_OFFSET_MS = HOUR_MS;

/**
 * What is wrong with a request_id: its first twelve characters are the date and time in Lagos, YYYYMMDDHHmm, the rest letters
 * and digits. Undefined: nothing.
 */
export function faultOfRequestId(id: unknown, now: number, toleranceMs: number): Code | undefined {
  if (typeof id !== "string" || !/^\d{12}/.test(id)) return "085";
  if (!/^[A-Za-z0-9]{12,100}$/.test(id)) return "086";
  const part = (from: number, to: number): number => Number(id.slice(from, to));
  const said = Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10), part(10, 12));
  const isDate = new Date(said).toISOString().replaceAll(/[-T:]/g, "").startsWith(id.slice(0, 12));
  return isDate && Math.abs(said - LAGOS_OFFSET_MS - now) <= toleranceMs ? undefined : "086";
}
