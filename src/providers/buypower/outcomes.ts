import { type Kobo, kobo, ZERO_KOBO } from "../../kernel/kobo.ts";
import type { ElectricityPayload } from "../../kernel/purchase-payload.ts";
import { showsToken } from "../../kernel/shown-token.ts";
import { type Fields, fieldsOf, isFields, readFields, textOf } from "../../kernel/vendor-fields.ts";
import { readVendorNaira } from "../../kernel/vendor-naira.ts";
import { quoted, shortWords } from "../../kernel/vendor-words.ts";
import type { Outcome } from "../provider.ts";
import { factsOf } from "./facts.ts";
import { type Meaning, STATUSES } from "./statuses.ts";

/** Of our own troubles a subscriber hears no more than this. */
const NEUTRAL = "The vendor could not take it.";
/** What a list of delays may ask for. */
const DELAY_SECONDS_MAX = 3_600;

export interface Answered {
  readonly call: "vend" | "requery";
  readonly status: number;
  readonly text: string;
  /** Our reference of the attempt. */
  readonly reference: string;
  readonly meter: string;
  readonly payload: Pick<ElectricityPayload, "amount_kobo">;
}

/** What a whole answer says of the attempt. Whatever the table does not have is unknown. */
export function outcomeOf(answered: Answered): Outcome {
  const { call, status, text } = answered;
  const body = readFields(text) ?? {};
  // A requery wraps the envelope once more.
  const envelope = isFields(body.result) ? body.result : body;
  const data = fieldsOf(envelope.data);
  const whyNot = whyNotOurs(data, answered);
  if (whyNot !== undefined) return unknown(whyNot);
  const code = textOf(envelope, ["responseCode"]) ?? textOf(data, ["responseCode"]);
  const meaning = (statusOf(`${status}/${code}`) ?? statusOf(`${status}`))?.[call];
  if (!meaning)
    return unknown(
      `HTTP ${status} with the responseCode ${code === undefined ? "missing" : quoted(code)} is not listed`,
    );
  return meaning.kind === "delivered" ? delivered(envelope, data) : say(meaning, envelope, data);
}

/** Why the data are not about our attempt; undefined when nothing in them says so. */
function whyNotOurs(data: Fields, { reference, meter, payload }: Answered): string | undefined {
  if ((textOf(data, ["orderId"]) ?? reference) !== reference) return "the answer is about another orderId";
  if (bare(textOf(data, ["meter", "meterNo"]) ?? meter) !== bare(meter)) return "the answer is about another meter";
  return isOurAmount(data, kobo(payload.amount_kobo)) ? undefined : "the answer is about another amount";
}

/** As a number it has no zeros in front. */
const bare = (meter: string): string => meter.replace(/^0+/, "");

/** The documents don't say whether debts are in `vendAmount`, and charges in `totalAmountPaid`: either way it is ours. */
function isOurAmount(data: Fields, ours: Kobo): boolean {
  const debt = readVendorNaira(data.debtAmount) ?? ZERO_KOBO;
  const charges = readVendorNaira(data.charges) ?? ZERO_KOBO;
  const vended = readVendorNaira(data.vendAmount);
  const paid = readVendorNaira(data.totalAmountPaid);
  if (vended === undefined && paid === undefined) return true;
  return [ours, ours - debt].some((one) => one === vended) || [ours, ours + charges].some((one) => one === paid);
}

const statusOf = (key: string) => (Object.hasOwn(STATUSES, key) ? STATUSES[key] : undefined);

const unknown = (detail: string): Outcome => ({ kind: "unknown", detail });

/** The vendor's own words, short: they are shown to people. */
const wordsOf = (envelope: Fields): string =>
  shortWords([textOf(envelope, ["responseCode"]), textOf(envelope, ["message"])].filter(Boolean).join(" "));

const VENDED = ["100", "200"];
/** Where the vendor has numbers of its own, and ours: with twenty digits they are no token. */
const REFERENCES = new Set(["orderId", "id", "vendRef", "receiptNo", "vendTime", "reference", "exchangeReference"]);

/** The code alone is no proof: the status, and the code of the vend itself, must not say otherwise. */
function delivered(envelope: Fields, data: Fields): Outcome {
  const inner = textOf(data, ["responseCode"]);
  const isContradicted = inner !== undefined && !VENDED.includes(inner);
  // Every sample of a vend has its orderId.
  if (String(envelope.status) !== "true" || isContradicted || textOf(data, ["orderId"]) === undefined)
    return unknown("the answer says that it was vended, and does not bear it out");
  const { tokens, ...facts } = factsOf(data);
  // The disco has the money, and the token comes later, in a requery.
  if (!tokens) return { kind: "accepted", incomplete: true, ...named(data), facts };
  return { kind: "done", ...named(data), facts: { ...facts, tokens } };
}

/** The vendor's own id. */
function named(data: Fields): { providerReference?: string } {
  const id = textOf(data, ["id", "vendRef"]);
  return id !== undefined && id.length <= 100 ? { providerReference: id } : {};
}

function say(meaning: Exclude<Meaning, { kind: "delivered" }>, envelope: Fields, data: Fields): Outcome {
  const detail = wordsOf(envelope);
  const askAgainMs = delayMs(envelope.delay ?? data.delay);
  // With a list of when to ask it is in progress, whatever else it says.
  if (askAgainMs !== undefined && meaning.kind !== "unknown") return { kind: "accepted", askAgainMs };
  const isRefusal = meaning.kind === "rejected" || meaning.kind === "not_found";
  if (isRefusal && VENDED.includes(textOf(data, ["responseCode"]) ?? ""))
    return unknown("it is said to have failed, and to be vended");
  if (isRefusal && showsToken(envelope, REFERENCES)) return unknown("it is said to have failed, and has a token");
  switch (meaning.kind) {
    case "pending":
      return { kind: "accepted" };
    case "rejected": {
      const { kind, scope, code, alarm } = meaning;
      return alarm === undefined ? { kind, scope, code, detail } : { kind, scope, code, detail: NEUTRAL, alarm };
    }
    case "not_found":
      return { kind: "not_found", detail };
    default:
      return unknown(detail);
  }
}

/** `[20, 20, 20]`: seconds to the next requery. Each answer brings its list, so the first counts. */
function delayMs(list: unknown): number | undefined {
  const seconds: unknown = Array.isArray(list) ? list[0] : undefined;
  const match = typeof seconds === "string" ? /^\d{1,4}$/.exec(seconds) : null;
  const value = match ? Number(match[0]) : 0;
  return value > 0 && value <= DELAY_SECONDS_MAX ? value * 1_000 : undefined;
}
