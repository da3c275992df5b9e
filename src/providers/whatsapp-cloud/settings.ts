import { ok, type Result, refuse } from "../../kernel/result.ts";
import { SettingsReader } from "../settings-reader.ts";

/** A number that writes. */
export interface ChatNumber {
  /** Meta's id of it, which stands in the path. */
  readonly phoneNumberId: string;
  /** E.164 without `+`. */
  readonly number: string;
}

/** Everything an operator can set for one WhatsApp Business Account. Each is explained in docs/providers/whatsapp-cloud.md. */
export interface WhatsappSettings {
  /** Without the version. */
  readonly baseUrl: string;
  /** Of the Graph API: pinned, as Meta changes fields from one to the next. */
  readonly version: string;
  readonly accessToken: string;
  /** Signs webhooks. */
  readonly appSecret: string;
  /** What Meta must say when it tries the callback's address. */
  readonly verifyToken: string;
  readonly wabaId: string;
  readonly numbers: readonly ChatNumber[];
  /** For a whole call: until its last byte. */
  readonly responseTimeoutMs: number;
  /** The same for a file. */
  readonly mediaTimeoutMs: number;
  readonly perNumberPerSecond: number;
  /** Between two messages to one person, in the long run; 0: no limit. */
  readonly pairEveryMs: number;
  /** How many messages one person may get at once, before that. */
  readonly pairBurst: number;
  /** The longest wait after “not now”. */
  readonly waitMsMax: number;
}

/** Checks the whole object: either complete settings, or every fault with what to write instead. */
export function readSettings(input: unknown): Result<WhatsappSettings, readonly string[]> {
  const read = new SettingsReader(input);
  let hasNumbers = false;
  const settings: WhatsappSettings = {
    baseUrl: read.baseUrl("baseUrl", "https://graph.facebook.com"),
    version: read.text("version", { max: 10, fallback: "v24.0", charset: VERSION }),
    accessToken: read.text("accessToken", { max: 1_000, charset: HEADER, what: "the system user's access token" }),
    appSecret: read.text("appSecret", { max: 200, charset: HEADER, what: "the app secret, which signs webhooks" }),
    verifyToken: read.text("verifyToken", { max: 200, what: "a text of your own that Meta repeats to the callback" }),
    wabaId: read.text("wabaId", { max: 32, charset: ID, what: "the id of the WhatsApp Business Account" }),
    numbers: read.custom<readonly ChatNumber[]>("numbers", [], (value) => {
      hasNumbers = true;
      return numbersIn(value);
    }),
    responseTimeoutMs: read.integer("responseTimeoutMs", { min: 100, max: 300_000, fallback: 30_000 }),
    mediaTimeoutMs: read.integer("mediaTimeoutMs", { min: 100, max: 600_000, fallback: 60_000 }),
    perNumberPerSecond: read.integer("perNumberPerSecond", { min: 1, max: 1_000, fallback: 80 }),
    pairEveryMs: read.integer("pairEveryMs", { min: 0, max: 3_600_000, fallback: 6_000 }),
    pairBurst: read.integer("pairBurst", { min: 1, max: 45, fallback: 20 }),
    waitMsMax: read.integer("waitMsMax", { min: 100, max: 86_400_000, fallback: 3_600_000 }),
  };
  if (!hasNumbers) read.fault("numbers", `is missing: ${NUMBERS_FORM}`);
  const faults = read.faults();
  return faults.length === 0 ? ok(settings) : refuse(faults);
}

const VERSION = { allowed: /^v\d{1,3}\.\d$/, fault: 'must be a version of the Graph API, e.g. "v24.0"' };
const HEADER = { allowed: /^[\x21-\x7e]*$/, fault: "must be printable ASCII without spaces" };
const ID = { allowed: /^\d*$/, fault: "must be digits" };

const NUMBERS_FORM =
  'a list of { phoneNumberId: "…", number: "+234…" }, each once: the ids are in the WhatsApp Manager, beside the numbers';
const NUMBERS_MAX = 1_000;

function numbersIn(value: unknown): readonly ChatNumber[] | string {
  if (!Array.isArray(value) || value.length === 0 || value.length > NUMBERS_MAX) return NUMBERS_FORM;
  const numbers: ChatNumber[] = [];
  for (const entry of value as readonly unknown[]) {
    if (typeof entry !== "object" || entry === null) return NUMBERS_FORM;
    const { phoneNumberId, number, ...others } = entry as Readonly<Record<string, unknown>>;
    const isRight =
      typeof phoneNumberId === "string" &&
      /^\d{1,32}$/.test(phoneNumberId) &&
      typeof number === "string" &&
      /^\+?\d{7,15}$/.test(number) &&
      Object.keys(others).length === 0;
    if (!isRight) return NUMBERS_FORM;
    numbers.push({ phoneNumberId, number: number.replace("+", "") });
  }
  const isOnce = (key: keyof ChatNumber) => new Set(numbers.map((one) => one[key])).size === numbers.length;
  return isOnce("phoneNumberId") && isOnce("number") ? numbers : NUMBERS_FORM;
}
