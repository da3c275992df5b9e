import type { Outcome } from "../../ports/provider.ts";
import { whyNotTurnedAway } from "../../vendor-text/auth-refusal.ts";
import { hasMemberTwice } from "../../vendor-text/exact-json.ts";
import { type Fields, fieldsOf, isFields, readFields, textOf } from "../../vendor-text/fields.ts";
import { quoted, shortWords, wordOf } from "../../vendor-text/words.ts";
import type { Answered } from "./answered.ts";
import { attemptMismatch } from "./attempt-match.ts";
import { whyNotRefused, whyNotVended } from "./contradictions.ts";
import { evidenceOf, refusesAsUsed } from "./evidence.ts";
import { factsOf, readTokens } from "./facts.ts";
import { codeOf, type Meaning, STATUSES } from "./statuses.ts";

/** Of our own troubles a subscriber hears no more than this. */
const NEUTRAL = "The vendor could not take it.";
/** What a list of delays may ask for. */
const DELAY_SECONDS_MAX = 3_600;

/** What a whole answer says of the attempt. Whatever the table does not have is unknown, be the attempt known to the vendor or not. */
export function outcomeOf(answered: Answered): Outcome {
  const outcome = judge(answered);
  if (outcome.kind === "rejected" && refusesAsUsed(answered)) return partOutcomeOf(outcome.detail, answered);
  return outcome.kind === "unknown" ? withEvidence(outcome, answered) : outcome;
}

/** What an answer that came in part shows; it decides nothing. */
export const partOutcomeOf = (detail: string, answered: Answered): Outcome => withEvidence(unknown(detail), answered);

function withEvidence(outcome: Extract<Outcome, { kind: "unknown" }>, answered: Answered): Outcome {
  const { isKnown, hasToken } = evidenceOf(answered);
  if (!isKnown) return outcome;
  const shown = { why: "it has a token, and does not say clearly that it is vended", answer: answered.text };
  const doubt = outcome.doubt ?? (hasToken ? shown : undefined);
  return { ...outcome, isKnown, ...(doubt && { doubt }) };
}

function judge(answered: Answered): Outcome {
  const { call, status, text, reference } = answered;
  if (status < 500 && hasMemberTwice(text)) {
    const why = "its answer has a member twice";
    return { ...unknown(why), doubt: { why, answer: text } };
  }
  const body = readFields(text) ?? {};
  // A requery wraps the envelope once more.
  const envelope = isFields(body.result) ? body.result : body;
  const data = fieldsOf(envelope.data);
  const code = codeOf(envelope);
  const listed = statusOf(`${status}/${code}`)?.[call];
  const meaning = listed ?? statusOf(`${status}`)?.[call];
  if (!meaning)
    return unknown(
      `HTTP ${status} with the responseCode ${code === undefined ? "missing" : quoted(code)} is not listed`,
    );
  const whyNot =
    attemptMismatch(body, answered, meaning) ?? (listed ? undefined : whyNotTurnedAway(status, text, reference));
  if (whyNot !== undefined) return unknown(listed ? whyNot : `HTTP ${status}, but ${whyNot}`);
  return meaning.kind === "delivered"
    ? delivered(answered, { body, envelope, data })
    : say(meaning, { body, envelope, data, code });
}

const statusOf = (key: string) => (Object.hasOwn(STATUSES, key) ? STATUSES[key] : undefined);

const unknown = (detail: string) => ({ kind: "unknown", detail }) as const satisfies Outcome;

/** The vendor's own words, short: they are shown to people. */
const wordsOf = (envelope: Fields): string =>
  shortWords([textOf(envelope, ["responseCode"]), textOf(envelope, ["message"])].filter(Boolean).join(" "));

/** The code alone is no proof: all else must say the same. */
function delivered(
  { text, reference, meter, payload }: Answered,
  { body, envelope, data }: Omit<Said, "code">,
): Outcome {
  // Every sample of a vend has its orderId.
  if (wordOf(envelope.status) !== "true" || textOf(data, ["orderId"]) === undefined)
    return unknown("it is said to be vended, without a status or an orderId that bears it out");
  const whyNot = whyNotVended(body);
  if (whyNot !== undefined) return unknown(whyNot);
  const { tokens, isTwice, doubts } = readTokens(text, data, [reference, meter]);
  if (isTwice) {
    const why = "it is said to be vended, and has two tokens of one kind";
    return { ...unknown(why), doubt: { why, answer: text } };
  }
  const told = {
    ...named(data),
    facts: { ...factsOf(payload, data, tokens) },
    ...(doubts.length > 0 && { doubt: { why: doubts.join("; "), answer: text } }),
  };
  // The disco has the money, and the token comes later, in a requery.
  return tokens.length === 0 ? { kind: "accepted", incomplete: true, ...told } : { kind: "done", ...told };
}

/** The vendor's own id. */
function named(data: Fields): { providerReference?: string } {
  const id = textOf(data, ["id", "vendRef"]);
  return id !== undefined && id.length <= 100 ? { providerReference: id } : {};
}

interface Said {
  readonly body: Fields;
  readonly envelope: Fields;
  readonly data: Fields;
  readonly code: string | undefined;
}

function say(meaning: Exclude<Meaning, { kind: "delivered" }>, { body, envelope, data, code }: Said): Outcome {
  const detail = wordsOf(envelope);
  const askAgainMs = askAgainIn(body, envelope, data);
  // With a list of when to ask it is in progress, whatever else it says.
  if (askAgainMs !== undefined && meaning.kind !== "unknown") return { kind: "accepted", askAgainMs };
  const isRefusal = meaning.kind === "rejected" || meaning.kind === "not_found";
  const whyNot = isRefusal ? whyNotRefused(meaning.kind, code, body) : undefined;
  if (whyNot !== undefined) return unknown(whyNot);
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

const askAgainIn = (...places: readonly Fields[]): number | undefined =>
  places.map(({ delay }) => delayMs(delay)).find((ms) => ms !== undefined);

/** `[20, 20, 20]`: seconds to the next requery. Each answer brings its list, so the first counts. */
function delayMs(list: unknown): number | undefined {
  const seconds: unknown = Array.isArray(list) ? list[0] : undefined;
  const match = typeof seconds === "string" ? /^\d{1,4}$/.exec(seconds) : null;
  const value = match ? Number(match[0]) : 0;
  return value > 0 && value <= DELAY_SECONDS_MAX ? value * 1_000 : undefined;
}
