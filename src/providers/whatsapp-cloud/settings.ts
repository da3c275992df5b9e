import Type from "typebox";
import { ok, type Result } from "../../kernel/result.ts";
import {
  anyText,
  baseUrl,
  headerText,
  readShape,
  responseTimeoutMs,
  settings,
  wholeNumber,
  withoutSlash,
} from "../settings-schema.ts";

const Id = Type.String({ pattern: "^\\d{1,32}$", description: "digits in quotes, 32 at most" });

/** A number that writes. */
const ChatNumber = Type.Object(
  {
    /** Meta's id of it, which stands in the path. */
    phoneNumberId: Id,
    /** E.164. */
    number: Type.String({ pattern: "^\\+?\\d{7,15}$", description: 'a phone number in quotes, e.g. "+2348031234567"' }),
  },
  { additionalProperties: false },
);
/** `number` is without `+` once it is read. */
export type ChatNumber = Readonly<Type.Static<typeof ChatNumber>>;

const NUMBERS_FORM =
  'a list of { phoneNumberId: "…", number: "+234…" }, each once: the ids are in the WhatsApp Manager, beside the numbers';

const withoutPlus = ({ phoneNumberId, number }: ChatNumber): ChatNumber => ({
  phoneNumberId,
  number: number.replace("+", ""),
});

function areDistinct(numbers: readonly ChatNumber[]): boolean {
  const isOnce = (key: keyof ChatNumber) =>
    new Set(numbers.map(withoutPlus).map((one) => one[key])).size === numbers.length;
  return isOnce("phoneNumberId") && isOnce("number");
}

/** Everything an operator can set for one WhatsApp Business Account. Each is explained in docs/providers/whatsapp-cloud.md. */
const SETTINGS = settings({
  /** Without the version. */
  baseUrl: baseUrl("https://graph.facebook.com"),
  /** Of the Graph API: pinned, as Meta changes fields from one to the next. */
  version: Type.Optional(
    Type.String({
      pattern: "^v\\d{1,3}\\.\\d$",
      description: 'a version of the Graph API, e.g. "v24.0"',
      default: "v24.0",
    }),
  ),
  accessToken: headerText("the system user's access token", 1_000),
  /** Signs webhooks. */
  appSecret: headerText("the app secret, which signs webhooks"),
  /** What Meta must say when it tries the callback's address. */
  verifyToken: anyText("a text of your own that Meta repeats to the callback"),
  wabaId: Type.String({
    pattern: "^\\d{1,32}$",
    description: "the id of the WhatsApp Business Account: digits in quotes, 32 at most",
  }),
  numbers: Type.Refine(
    Type.Array(ChatNumber, { minItems: 1, maxItems: 1_000, description: NUMBERS_FORM }),
    areDistinct,
  ),
  responseTimeoutMs: responseTimeoutMs(30_000),
  /** The same for a file. */
  mediaTimeoutMs: wholeNumber(100, 600_000, 60_000),
  perNumberPerSecond: wholeNumber(1, 1_000, 80),
  /** Between two messages to one person, in the long run; 0: no limit. */
  pairEveryMs: wholeNumber(0, 3_600_000, 6_000),
  /** How many messages one person may get at once, before that. */
  pairBurst: wholeNumber(1, 45, 20),
  /** The longest wait after “not now”. */
  waitMsMax: wholeNumber(100, 86_400_000, 3_600_000),
});

export type WhatsappSettings = Readonly<Required<Type.Static<typeof SETTINGS>>>;

export function readSettings(input: unknown): Result<WhatsappSettings, readonly string[]> {
  const read = readShape(SETTINGS, input);
  if (!read.ok) return read;
  const { baseUrl: url, numbers, ...others } = read.value;
  return ok({ ...others, baseUrl: withoutSlash(url), numbers: numbers.map(withoutPlus) });
}
