import type { FailureCode } from "../../kernel/failures.ts";
import { SMS_FAILURES, type SmsReportStatus } from "../../ports/sms-payload.ts";
import { STAT_BY_MESSAGE_STATE } from "./wire/receipt.ts";

/** The meaning of a receipt's `stat` or `message_state`. */
export interface StatMeaning {
  readonly status: SmsReportStatus;
  readonly code?: FailureCode;
}

export const STAT_STATUSES = ["sent", "delivered", "undelivered", "expired", "rejected"] as const;

export function meaningOf(status: SmsReportStatus): StatMeaning {
  const code = SMS_FAILURES[status];
  return code === undefined ? { status } : { status, code };
}

/**
 * What `stat` says: the words of the specification (SMPP 3.4, appendix B; SCHEDULED and SKIPPED: 5.0), and those that SMSCs and
 * aggregators write instead, from their documents and from what users of other software reported. UNKNOWN and NULL is what an SMSC
 * says that lost track: the message may still arrive, so they are not final; nor is ACKED, which is the next network's word. UNREACHABLE is
 * left out on purpose: some write it of a single try.
 */
const WORDS: Readonly<Record<SmsReportStatus, string>> = {
  sent: "SCHEDULED ENROUTE ACCEPTD ACCEPTED UNKNOWN NULL BUFFRED BUFFERED SUBMITD SUBMITTED ACKED QUEUED PENDING SENT",
  delivered: "DELIVRD DELIVERED DELIVERD DELIVRED DLVRD DELIVERYSUCCESS DELIVERYSUCCESSFUL DELIVERYOK",
  expired: "EXPIRED EXPIRD EXPRD",
  undelivered:
    "UNDELIV UNDELIVERED UNDELIVERABLE UNDELIVRD UNDELIVERD UNDLVRD NOTDELIVERED DELETED DELETD CANCELED CANCELLED " +
    "FAILED FAIL FAILURE DELIVERYFAILED DELIVERYFAILURE SYSERR ABORTED ABORT",
  rejected: "REJECTD REJECTED REJECT REJ SKIPPED BLOCKED BARRED NOCRED NOCREDIT",
};

export const STAT_TABLE: ReadonlyMap<string, StatMeaning> = new Map(
  STAT_STATUSES.flatMap((status) => WORDS[status].split(" ").map((word) => [word, meaningOf(status)] as const)),
);

/** A word as it is looked up: upper case, letters and digits alone. */
export const statKey = (word: string): string => word.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** Words after DELIVRD that keep its meaning; TO SMSC or TO OPERATOR do not. */
const ARRIVED = new Set(
  "TO THE HANDSET TERMINAL SUBSCRIBER PHONE DEVICE MOBILE MS UE USER RECIPIENT DESTINATION OK SUCCESS SUCCESSFULLY".split(
    " ",
  ),
);
/** Words after one that is final which say that it is not. */
const NOT_YET = new Set("RETRY RETRYING TEMP TEMPORARY TEMPORARILY NOT BUT".split(" "));
const WORDS_MAX = 8;

/**
 * The meaning of a `stat` by the operator's words, then by the table. Of several words the first ones count that are listed, if they
 * are final and the rest does not say otherwise (`UNDELIV-DND`, `DELIVERED_TO_HANDSET`; not `DELIVERED_TO_SMSC`, `FAILED-QUEUED`).
 */
export function readStat(stat: string, own: ReadonlyMap<string, StatMeaning>): StatMeaning | undefined {
  const find = (word: string) => own.get(word) ?? STAT_TABLE.get(word);
  const whole = find(statKey(stat));
  if (whole !== undefined) return whole;
  const words = stat
    .split(/[^A-Za-z0-9]+/, WORDS_MAX + 1)
    .map(statKey)
    .filter((word) => word !== "");
  if (words.length > WORDS_MAX) return undefined;
  for (let count = words.length - 1; count >= 1; count--) {
    const meaning = find(words.slice(0, count).join(""));
    if (meaning !== undefined) return isBorneOut(meaning, words.slice(count), find) ? meaning : undefined;
  }
  return undefined;
}

function isBorneOut(
  { status }: StatMeaning,
  rest: readonly string[],
  find: (word: string) => StatMeaning | undefined,
): boolean {
  if (status === "sent") return false;
  if (status === "delivered")
    return rest.every((word) => ARRIVED.has(word) || /^\d+$/.test(word) || find(word)?.status === status);
  return rest.every((word) => {
    const other = find(word)?.status;
    return !NOT_YET.has(word) && other !== "sent" && other !== "delivered";
  });
}

/** A receipt's status, as text and as a number. */
export interface SaidState {
  readonly stat: string | undefined;
  readonly state: number | undefined;
}

export interface ReadState {
  readonly meaning: StatMeaning;
  /** The deciding word; undefined if there was none. */
  readonly word: string | undefined;
  /** Why it needs the operator's attention. */
  readonly doubt?: "unlisted" | "missing" | "contradictory";
}

/** The states of SMPP 3.4; 0 and 9 came with 5.0, and SMSCs that speak 3.4 fill the field with 0. */
const is34State = (state: number): boolean => state >= 1 && state <= 8;
const SENT = meaningOf("sent");

/**
 * The number counts more than the word, but for two cases in which a clear word says more: a number that SMPP 3.4 does not have,
 * and one that is not final beside a word that is. What is in no table is not final, and is never passed over in silence.
 */
export function readState({ stat, state }: SaidState, own: ReadonlyMap<string, StatMeaning>): ReadState {
  const byWord = stat === undefined ? undefined : readStat(stat, own);
  const name = state === undefined ? undefined : STAT_BY_MESSAGE_STATE[state];
  const byState = name === undefined ? undefined : (own.get(name) ?? STAT_TABLE.get(name));
  const word = stat?.toUpperCase();
  if (byState === undefined || state === undefined) {
    if (byWord !== undefined) return { meaning: byWord, word };
    const said = word ?? (state === undefined ? undefined : `message_state ${state}`);
    return { meaning: SENT, word: said, doubt: said === undefined ? "missing" : "unlisted" };
  }
  if (byWord === undefined) {
    const isUnlisted = word !== undefined && byState.status === "sent";
    return isUnlisted ? { meaning: byState, word, doubt: "unlisted" } : { meaning: byState, word: name };
  }
  const wordWins = !is34State(state) || (byState.status === "sent" && byWord.status !== "sent");
  const isContrary = is34State(state) && byState.status !== byWord.status;
  return {
    ...(wordWins ? { meaning: byWord, word } : { meaning: byState, word: name }),
    ...(isContrary && { doubt: "contradictory" as const }),
  };
}
