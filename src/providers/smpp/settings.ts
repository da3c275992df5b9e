import { FAILURES, type FailureCode } from "../../kernel/failures.ts";
import { ok, type Result, refuse } from "../../kernel/result.ts";
import type { SmsReportStatus } from "../../ports/sms-payload.ts";
import type { LinkSettings } from "./bind-link.ts";
import type { IdNotation } from "./message-id.ts";
import type { VendorStatus } from "./outcomes.ts";
import type { TlsSettings } from "./session.ts";
import { SettingsReader } from "./settings-reader.ts";
import { meaningOf, STAT_STATUSES, type StatMeaning, statKey } from "./stat.ts";
import type { DefaultAlphabet } from "./text.ts";

/** Type of number and numbering plan. SMPP 3.4, sections 5.2.5 and 5.2.6. */
export interface TonNpi {
  readonly ton: number;
  readonly npi: number;
}

export type LongMessages = "udh8" | "udh16" | "sar" | "message_payload";

/** Everything an operator can set for one SMSC. Each is explained in docs/providers/smpp.md. */
export interface SmppSettings extends LinkSettings {
  readonly bindMode: "transceiver" | "transmitter_receiver";
  readonly binds: number;
  /** Submits a second over all binds; null is no limit. */
  readonly ratePerSecond: number | null;
  /** The engine's wait after RTHROTTLED, RMSGQFUL, or while no bind is up. */
  readonly retryAfterMs: number;
  readonly defaultAlphabet: DefaultAlphabet;
  readonly dataCodingGsm: number;
  readonly dataCodingUcs2: number;
  readonly longMessages: LongMessages;
  readonly registeredDelivery: number;
  readonly sourceAlphanumeric: TonNpi;
  readonly sourceInternational: TonNpi;
  readonly sourceShortCode: TonNpi;
  readonly destination: TonNpi;
  readonly destinationPlus: boolean;
  readonly serviceType: string;
  readonly validity: "relative" | "absolute" | "none";
  readonly messageIds: { readonly submit: IdNotation; readonly receipt: IdNotation };
  readonly traceTlv: boolean;
  /** Vendor-specific command_status values, or standard ones with a vendor-specific meaning. */
  readonly statusMap: ReadonlyMap<number, VendorStatus>;
  /** Error numbers of this vendor's receipts, where they differ from MAP's. */
  readonly receiptErrors: ReadonlyMap<number, FailureCode>;
  /** Vendor-specific meanings of `stat` words, by `statKey`; they extend and override the table. */
  readonly receiptStats: ReadonlyMap<string, StatMeaning>;
  /** How long parts of an incoming message wait for the others; 0: each is recorded alone. */
  readonly joinInboundMs: number;
}

/** What C-octet strings carry: Latin-1 without NUL. */
const C_OCTETS = {
  allowed: /^[^\0\u0100-\uffff]*$/,
  fault: "has characters that SMPP can't carry: use Latin letters and digits",
};

/** Validates the whole object: complete settings, or all faults with advice. */
export function readSettings(input: unknown): Result<SmppSettings, readonly string[]> {
  const read = new SettingsReader(input);
  const settings: SmppSettings = {
    host: read.text("host", { max: 255, charset: C_OCTETS, what: "the SMSC's host name or address" }),
    port: read.integer("port", { min: 1, max: 65_535, fallback: 2775 }),
    tls: read.custom("tls", null, readTls),
    systemId: read.text("systemId", {
      max: 15,
      charset: C_OCTETS,
      what: "the system_id that the SMSC's operator issued",
    }),
    password: read.text("password", {
      max: 64,
      charset: C_OCTETS,
      what: "the bind password, e.g. from the environment",
    }),
    systemType: read.text("systemType", { max: 12, charset: C_OCTETS, fallback: "" }),
    bindMode: read.choice("bindMode", ["transceiver", "transmitter_receiver"]),
    binds: read.integer("binds", { min: 1, max: 64, fallback: 1 }),
    windowSize: read.integer("windowSize", { min: 1, max: 1_000, fallback: 10 }),
    ratePerSecond: read.custom("ratePerSecond", null, (value) =>
      typeof value === "number" && value > 0 && value <= 100_000
        ? value
        : "a number of submits above 0 and up to 100000",
    ),
    retryAfterMs: read.integer("retryAfterMs", { min: 1, max: 3_600_000, fallback: 1_000 }),
    responseTimeoutMs: read.integer("responseTimeoutMs", { min: 100, max: 600_000, fallback: 30_000 }),
    enquireLinkSeconds: read.integer("enquireLinkSeconds", { min: 0, max: 3_600, fallback: 30 }),
    optionalParameters: read.choice("optionalParameters", ["auto", "always", "never"]),
    bindTimeoutMs: read.integer("bindTimeoutMs", { min: 100, max: 600_000, fallback: 15_000 }),
    reconnectMinMs: read.integer("reconnectMinMs", { min: 10, max: 600_000, fallback: 500 }),
    reconnectMaxMs: read.integer("reconnectMaxMs", { min: 10, max: 3_600_000, fallback: 30_000 }),
    defaultAlphabet: read.choice("defaultAlphabet", ["gsm7", "latin1", "ascii"]),
    dataCodingGsm: read.integer("dataCodingGsm", { min: 0, max: 255, fallback: 0 }),
    dataCodingUcs2: read.integer("dataCodingUcs2", { min: 0, max: 255, fallback: 8 }),
    longMessages: read.choice("longMessages", ["udh8", "udh16", "sar", "message_payload"]),
    registeredDelivery: read.integer("registeredDelivery", { min: 0, max: 31, fallback: 1 }),
    sourceAlphanumeric: read.custom("sourceAlphanumeric", { ton: 5, npi: 0 }, readTonNpi),
    sourceInternational: read.custom("sourceInternational", { ton: 1, npi: 1 }, readTonNpi),
    sourceShortCode: read.custom("sourceShortCode", { ton: 3, npi: 0 }, readTonNpi),
    destination: read.custom("destination", { ton: 1, npi: 1 }, readTonNpi),
    destinationPlus: read.flag("destinationPlus"),
    serviceType: read.text("serviceType", { max: 5, charset: C_OCTETS, fallback: "" }),
    validity: read.choice("validity", ["relative", "absolute", "none"]),
    messageIds: read.custom<SmppSettings["messageIds"]>(
      "messageIds",
      { submit: "verbatim", receipt: "verbatim" },
      readNotations,
    ),
    traceTlv: read.flag("traceTlv"),
    statusMap: read.custom<SmppSettings["statusMap"]>("statusMap", new Map(), readStatusMap),
    receiptErrors: read.custom<SmppSettings["receiptErrors"]>("receiptErrors", new Map(), readReceiptErrors),
    receiptStats: read.custom<SmppSettings["receiptStats"]>("receiptStats", new Map(), readReceiptStats),
    joinInboundMs: read.integer("joinInboundMs", { min: 0, max: 60_000, fallback: 5_000 }),
  };
  if (settings.reconnectMinMs > settings.reconnectMaxMs) {
    read.fault("reconnectMinMs", "must not be above reconnectMaxMs");
  }
  const faults = read.faults();
  return faults.length === 0 ? ok(settings) : refuse(faults);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `true` is TLS with the system's authorities. There is no switch that turns verification off: give `ca` instead. */
function readTls(value: unknown): TlsSettings | null | string {
  if (value === false || value === null) return null;
  if (value === true) return {};
  const expected = "true, false, or an object of PEM texts ca, cert, key and a servername";
  if (!isObject(value)) return expected;
  const known = ["ca", "cert", "key", "servername"];
  const entries = Object.entries(value);
  if (!entries.every(([key, text]) => known.includes(key) && typeof text === "string" && text !== "")) return expected;
  if ("cert" in value !== "key" in value) return "an object in which cert and key come together";
  return Object.fromEntries(entries);
}

const isOctet = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

function readTonNpi(value: unknown): TonNpi | string {
  if (isObject(value) && isOctet(value.ton) && isOctet(value.npi)) return { ton: value.ton, npi: value.npi };
  return "an object {ton, npi} of integers from 0 to 255";
}

const isNotation = (value: unknown): value is IdNotation =>
  value === "hex" || value === "decimal" || value === "verbatim";

function readNotations(value: unknown): SmppSettings["messageIds"] | string {
  if (isObject(value) && isNotation(value.submit) && isNotation(value.receipt)) {
    return { submit: value.submit, receipt: value.receipt };
  }
  return 'an object {submit, receipt}, each "hex", "decimal" or "verbatim"';
}

const isFailureCode = (value: unknown): value is FailureCode =>
  typeof value === "string" && Object.hasOwn(FAILURES, value);

function readStatusMap(value: unknown): ReadonlyMap<number, VendorStatus> | string {
  const expected =
    'an object from command_status ("0x0410" or "1040") to {kind: "rejected", scope: "order" or "route", code}, ' +
    '{kind: "throttled", retryAfterMs?} or {kind: "unknown"}';
  if (!isObject(value)) return expected;
  const map = new Map<number, VendorStatus>();
  for (const [key, entry] of Object.entries(value)) {
    const status = readVendorStatus(entry);
    const number = readNumber(key);
    if (number === undefined || number === 0 || status === undefined)
      return `${expected}; ${JSON.stringify(key)} is not`;
    map.set(number, status);
  }
  return map;
}

function readVendorStatus(entry: unknown): VendorStatus | undefined {
  if (!isObject(entry)) return undefined;
  const { kind, scope, code, retryAfterMs } = entry;
  if (kind === "unknown") return { kind };
  if (kind === "throttled" && (retryAfterMs === undefined || Number.isInteger(retryAfterMs))) {
    return retryAfterMs === undefined ? { kind } : { kind, retryAfterMs: Number(retryAfterMs) };
  }
  if (kind === "rejected" && (scope === "order" || scope === "route") && isFailureCode(code))
    return { kind, scope, code };
  return undefined;
}

function readReceiptErrors(value: unknown): ReadonlyMap<number, FailureCode> | string {
  const expected = `an object from error number ("001" or "0x1b") to one of ${Object.keys(FAILURES).join(", ")}`;
  if (!isObject(value)) return expected;
  const map = new Map<number, FailureCode>();
  for (const [key, code] of Object.entries(value)) {
    const number = readNumber(key);
    if (number === undefined || !isFailureCode(code)) return `${expected}; ${JSON.stringify(key)} is not`;
    map.set(number, code);
  }
  return map;
}

const isStatus = (value: unknown): value is SmsReportStatus => STAT_STATUSES.some((status) => status === value);

function readReceiptStats(value: unknown): ReadonlyMap<string, StatMeaning> | string {
  const expected = `an object from a word of stat ("ZEROBAL") to one of ${STAT_STATUSES.join(", ")}`;
  if (!isObject(value)) return expected;
  const map = new Map<string, StatMeaning>();
  for (const [word, status] of Object.entries(value)) {
    const key = statKey(word);
    if (key === "" || !isStatus(status)) return `${expected}; ${JSON.stringify(word)} is not`;
    map.set(key, meaningOf(status));
  }
  return map;
}

function readNumber(text: string): number | undefined {
  if (/^0x[0-9a-f]{1,8}$/i.test(text)) return Number.parseInt(text.slice(2), 16);
  return /^\d{1,10}$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
