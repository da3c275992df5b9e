import { ok, type Result, refuse } from "../../kernel/result.ts";
import { encodePdu, type PduDraft } from "../../providers/smpp/wire/pdu.ts";

/**
 * A deliver_sm octet by octet, as SMSCs write them that are not this one: receipts and messages in forms that it has no use
 * for. Only for tests: it is not in the log, so it is forgotten when the process ends.
 */
export interface OddDelivery {
  /** To which ESME; absent: to one that is bound for receiving. */
  readonly systemId?: string;
  readonly source: string;
  readonly destination: string;
  readonly sourceTon?: number;
  readonly destinationTon?: number;
  readonly esmClass?: number;
  readonly dataCoding?: number;
  /** `short_message` in hexadecimal. */
  readonly message?: string;
  readonly tlvs?: readonly { readonly tag: number; readonly value: string }[];
  /** Octets after the last parameter, counted in command_length, in hexadecimal. */
  readonly trailing?: string;
}

const HEX = /^([0-9a-f]{2})*$/i;
const isHex = (value: unknown, octetsMax: number): value is string =>
  typeof value === "string" && HEX.test(value) && value.length <= 2 * octetsMax;
const isAddress = (value: unknown): value is string => typeof value === "string" && /^[\x20-\x7e]{0,20}$/.test(value);
const isUpTo = (max: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
const isOctet = isUpTo(0xff);
const isTag = isUpTo(0xffff);

const isTlvs = (value: unknown): boolean =>
  Array.isArray(value) && value.every((tlv) => isTag(tlv?.tag) && isHex(tlv?.value, 0xffff));

const MEMBERS: Readonly<Record<keyof OddDelivery, readonly [isRight: (value: unknown) => boolean, what: string]>> = {
  systemId: [(value) => typeof value === "string", "a string"],
  source: [isAddress, "an address of up to 20 characters"],
  destination: [isAddress, "an address of up to 20 characters"],
  sourceTon: [isOctet, "an octet"],
  destinationTon: [isOctet, "an octet"],
  esmClass: [isOctet, "an octet"],
  dataCoding: [isOctet, "an octet"],
  message: [(value) => isHex(value, 254), "up to 254 octets in hexadecimal"],
  tlvs: [isTlvs, "a list of {tag, value}, the value in hexadecimal"],
  trailing: [(value) => isHex(value, 1_000), "up to 1,000 octets in hexadecimal"],
};
const REQUIRED: readonly (keyof OddDelivery)[] = ["source", "destination"];

/** The body of the control API as a delivery, or all that is wrong with it. */
export function readOddDelivery(body: unknown): Result<OddDelivery, readonly string[]> {
  if (typeof body !== "object" || body === null) return refuse(["the body is a JSON object"]);
  const given = new Map(Object.entries(body));
  const unknown = [...given.keys()].filter((name) => !Object.hasOwn(MEMBERS, name));
  const wrong = Object.entries(MEMBERS).filter(([name, [isRight]]) =>
    given.has(name) ? !isRight(given.get(name)) : REQUIRED.includes(name as keyof OddDelivery),
  );
  const faults = [
    ...unknown.map((name) => `${name}: there is no such member`),
    ...wrong.map(([name, [, what]]) => `${name}: ${what}`),
  ];
  return faults.length > 0 ? refuse(faults) : ok(body as OddDelivery);
}

/** The octets of the PDU. */
export function encodeOddDelivery(odd: OddDelivery, sequence: number): Buffer {
  const draft: PduDraft<"deliver_sm"> = {
    command: "deliver_sm",
    sequence,
    source_addr_ton: odd.sourceTon ?? 1,
    source_addr_npi: 1,
    source_addr: odd.source,
    dest_addr_ton: odd.destinationTon ?? 0,
    destination_addr: odd.destination,
    esm_class: odd.esmClass ?? 0,
    data_coding: odd.dataCoding ?? 0,
    short_message: Buffer.from(odd.message ?? "", "hex"),
    tlvs: (odd.tlvs ?? []).map(({ tag, value }) => ({ tag, value: Buffer.from(value, "hex") })),
  };
  const octets = Buffer.concat([encodePdu(draft), Buffer.from(odd.trailing ?? "", "hex")]);
  octets.writeUInt32BE(octets.length, 0);
  return octets;
}
