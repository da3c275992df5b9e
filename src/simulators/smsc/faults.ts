import { ok, type Result, refuse } from "../../kernel/result.ts";

/**
 * What the SMSC does wrong on demand. Each holds for all sessions from the moment it is set until it is set back; the four
 * counters count down with the submits they hit and then stop by themselves. Magic numbers come after the counters.
 */
export interface SmscFaults {
  /** The next N submits are never answered. */
  readonly unansweredSubmits: number;
  /** Whether those are accepted nevertheless, delivered and receipted: a lost answer instead of a lost message. */
  readonly unansweredAreTaken: boolean;
  /** The next N submits are answered RTHROTTLED and not accepted. */
  readonly throttledSubmits: number;
  /** The next N submits are answered RSYSERR and not accepted. */
  readonly failedSubmits: number;
  /** The next N submits are accepted without an answer, and the last one cuts its session: a window in flight is lost. */
  readonly disconnectAfterSubmits: number;
  /** From acceptance to the handset, and so to the first receipt. */
  readonly receiptDelayMs: number;
  /** Each receipt is sent twice. */
  readonly duplicateReceipts: boolean;
  /** An ENROUTE receipt follows the final one. */
  readonly unorderedReceipts: boolean;
  /** The receipt goes out at once and the submit's answer 200 ms after it. */
  readonly receiptBeforeResponse: boolean;
  /** Receipts wait here while true and go out when it is set back. */
  readonly receiptsPaused: boolean;
  /** How a receipt says what it says: in TLVs and text, or in one of them alone. */
  readonly receiptForm: "full" | "text_only" | "tlvs_only";
  /** Number base of the message id in submit_sm_resp. */
  readonly responseIds: "decimal" | "hex";
  /** Number base of the message id in receipts. */
  readonly receiptIds: "decimal" | "hex";
  /** Binds are answered RBINDFAIL and the connection is closed. */
  readonly bindsRefused: boolean;
  /** enquire_link is never answered; all else is. */
  readonly enquireLinksIgnored: boolean;
  /**
   * `unsaid`: a bind is answered without sc_interface_version, as by an SMSC older than 3.4. `refused`: and a submit with optional
   * parameters is answered ROPTPARNOTALLWD.
   */
  readonly optionalParameters: "taken" | "unsaid" | "refused";
  /** Nothing is read from or written to any session, though TCP stays up: a half-open connection. */
  readonly frozen: boolean;
}

export const NO_FAULTS: SmscFaults = {
  unansweredSubmits: 0,
  unansweredAreTaken: false,
  throttledSubmits: 0,
  failedSubmits: 0,
  disconnectAfterSubmits: 0,
  receiptDelayMs: 300,
  duplicateReceipts: false,
  unorderedReceipts: false,
  receiptBeforeResponse: false,
  receiptsPaused: false,
  receiptForm: "full",
  responseIds: "decimal",
  receiptIds: "decimal",
  bindsRefused: false,
  enquireLinksIgnored: false,
  optionalParameters: "taken",
  frozen: false,
};

const CHOICES: { readonly [name: string]: readonly string[] } = {
  receiptForm: ["full", "text_only", "tlvs_only"],
  responseIds: ["decimal", "hex"],
  receiptIds: ["decimal", "hex"],
  optionalParameters: ["taken", "unsaid", "refused"],
};

/** `faults` with the members of `change` in place of its own, or everything that is wrong with `change`. */
export function changeFaults(faults: SmscFaults, change: unknown): Result<SmscFaults, readonly string[]> {
  if (typeof change !== "object" || change === null || Array.isArray(change))
    return refuse(["faults are a JSON object"]);
  const wrong = Object.entries(change).flatMap(([name, value]) => wrongWith(name, value) ?? []);
  return wrong.length > 0 ? refuse(wrong) : ok({ ...faults, ...change });
}

function wrongWith(name: string, value: unknown): string | null {
  const example = Object.entries(NO_FAULTS).find(([known]) => known === name)?.[1];
  if (example === undefined) return `${name}: there is no such fault`;
  const choices = CHOICES[name];
  if (choices)
    return typeof value === "string" && choices.includes(value) ? null : `${name}: one of ${choices.join(", ")}`;
  if (typeof example === "boolean") return typeof value === "boolean" ? null : `${name}: true or false`;
  return Number.isSafeInteger(value) && Number(value) >= 0 ? null : `${name}: a whole number, 0 or more`;
}
