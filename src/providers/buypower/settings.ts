import Type from "typebox";
import { DISCOS, type Disco } from "../../kernel/discos.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { baseUrl, headerText, readShape, responseTimeoutMs, settings, withoutSlash } from "../settings-schema.ts";
import { DISCO_CODES } from "./discos.ts";

const CODE = Type.Optional(Type.String({ pattern: "^[A-Z0-9]{1,20}$", description: 'the vendor\'s code, e.g. "ABA"' }));
const codes = Object.fromEntries(Object.keys(DISCOS).map((disco) => [disco, CODE])) as Record<Disco, typeof CODE>;

/** Everything an operator can set for one BuyPower account. Each is explained in docs/providers/buypower.md. */
const SETTINGS = settings({
  /** Without `/v2`. */
  baseUrl: baseUrl("https://api.buypower.ng"),
  token: headerText("the account's API key", 500),
  responseTimeoutMs: responseTimeoutMs(60_000),
  /** An answer without the vendor's signature over it counts as none. */
  checkSignature: Type.Optional(Type.Boolean({ default: false })),
  /** The vendor's codes of our discos, where they differ from those in discos.ts. */
  discoCodes: Type.Optional(Type.Object(codes, { additionalProperties: false, default: {} })),
});

export interface BuypowerSettings extends Readonly<Required<Omit<Type.Static<typeof SETTINGS>, "discoCodes">>> {
  /** Of every disco that the vendor sells for. */
  readonly discoCodes: ReadonlyMap<string, string>;
}

export function readSettings(input: unknown): Result<BuypowerSettings, readonly string[]> {
  const read = readShape(SETTINGS, input);
  if (!read.ok) return read;
  const discoCodes = new Map(Object.entries({ ...DISCO_CODES, ...read.value.discoCodes }));
  return ok({ ...read.value, baseUrl: withoutSlash(read.value.baseUrl), discoCodes });
}
