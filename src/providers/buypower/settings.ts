import { DISCOS, type Disco } from "../../kernel/discos.ts";
import { ok, type Result, refuse } from "../../kernel/result.ts";
import { SettingsReader } from "../settings-reader.ts";
import { DISCO_CODES } from "./discos.ts";

/** Everything an operator can set for one BuyPower account. Each is explained in docs/providers/buypower.md. */
export interface BuypowerSettings {
  /** Without `/v2`. */
  readonly baseUrl: string;
  readonly token: string;
  /** For a whole call: until its last byte. */
  readonly responseTimeoutMs: number;
  /** An answer without the vendor's signature over it counts as none. */
  readonly checkSignature: boolean;
  /** The vendor's codes of our discos. */
  readonly discoCodes: ReadonlyMap<string, string>;
}

/** Checks the whole object: either complete settings, or every fault with what to write instead. */
export function readSettings(input: unknown): Result<BuypowerSettings, readonly string[]> {
  const read = new SettingsReader(input);
  const settings: BuypowerSettings = {
    baseUrl: read.baseUrl("baseUrl", "https://api.buypower.ng"),
    token: read.text("token", { max: 500, charset: HEADER, what: "the account's API key" }),
    responseTimeoutMs: read.integer("responseTimeoutMs", { min: 100, max: 300_000, fallback: 60_000 }),
    checkSignature: read.flag("checkSignature"),
    discoCodes: new Map(Object.entries({ ...DISCO_CODES, ...read.custom("discoCodes", {}, parseCodes) })),
  };
  const faults = read.faults();
  return faults.length === 0 ? ok(settings) : refuse(faults);
}

const HEADER = { allowed: /^[\x21-\x7e]*$/, fault: "must be printable ASCII without spaces" };

function parseCodes(value: unknown): Partial<Record<Disco, string>> | string {
  const isCode = ([disco, code]: [string, unknown]): boolean =>
    Object.hasOwn(DISCOS, disco) && typeof code === "string" && /^[A-Z0-9]{1,20}$/.test(code);
  return typeof value === "object" && value !== null && Object.entries(value).every(isCode)
    ? value
    : `the vendor's codes by disco, e.g. {"aba-electric": "ABA"}; the discos are ${Object.keys(DISCOS).join(", ")}`;
}
