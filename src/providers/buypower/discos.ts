import type { Disco } from "../../kernel/discos.ts";
import { readFields } from "../../vendor-text/fields.ts";

/** The vendor's codes. Source: its GET /discos/status; Aba is APLE there and ABA elsewhere. */
export const DISCO_CODES: Readonly<Record<Disco, string>> = {
  "ikeja-electric": "IKEJA",
  "eko-electric": "EKO",
  "abuja-electric": "ABUJA",
  "kano-electric": "KANO",
  "portharcourt-electric": "PH",
  "jos-electric": "JOS",
  "ibadan-electric": "IBADAN",
  "kaduna-electric": "KADUNA",
  "enugu-electric": "ENUGU",
  "benin-electric": "BH",
  "aba-electric": "APLE",
  "yola-electric": "YOLA",
};

const KNOWN: ReadonlySet<string> = new Set([...Object.values(DISCO_CODES), "ABA"]);
const sameFor = (code: string): string => (code === "ABA" ? DISCO_CODES["aba-electric"] : code);

/** Whether it is the code of another disco than ours. A word that the vendor does not list is none. */
export function isAnotherDisco(said: string, ours: string | undefined): boolean {
  const code = said.toUpperCase();
  return ours !== undefined && KNOWN.has(code) && sameFor(code) !== sameFor(ours);
}

/** Which of our discos can be sold for now. The vendor's map also has networks and television; a disco that is not in it is not sold. */
export function readAvailability(
  codes: ReadonlyMap<string, string>,
  status: number,
  text: string,
): ReadonlyMap<string, boolean> | undefined {
  const map = status === 200 ? readFields(text) : undefined;
  const known = [...codes].filter(([, code]) => map && typeof map[code] === "boolean");
  // Another object than the map, e.g. the envelope of a failure.
  if (!map || known.length === 0) return undefined;
  return new Map(known.map(([disco, code]) => [disco, map[code] === true]));
}
