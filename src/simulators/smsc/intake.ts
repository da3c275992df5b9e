import type { Clock } from "../../kernel/clock.ts";
import type { Result } from "../../kernel/result.ts";
import { COMMAND_STATUS } from "../../providers/smpp/wire/status.ts";
import { changeFaults, NO_FAULTS, type SmscFaults } from "./faults.ts";
import type { LogLine, ReceiptStat, SubmitLine } from "./log.ts";
import { scenarioOf, Tries } from "./scenarios.ts";
import type { SubmitPdu } from "./session.ts";
import { readSubmission, type Submission } from "./submission.ts";

/** What becomes of a submit. */
interface Verdict {
  /** `command_status` of the answer; null: no answer. */
  readonly status: number | null;
  readonly isTaken: boolean;
  /** The session is cut with this submit. */
  readonly cuts?: boolean;
}

const refused = (status: number | null): Verdict => ({ status, isTaken: false });

/** Decides what becomes of each submit, by what it says, the faults that are set and its number's scenario; gives out ids. */
export class Intake {
  readonly #clock: Clock;
  readonly #tries = new Tries();
  #faults: SmscFaults = NO_FAULTS;
  #nextMessageId: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    // A new log must not begin where an older, deleted one did: references of both may be in one gateway's books.
    this.#nextMessageId = clock.now().getTime() * 1000;
  }

  get faults(): SmscFaults {
    return this.#faults;
  }

  setFaults(change: unknown): Result<SmscFaults, readonly string[]> {
    const result = changeFaults(this.#faults, change);
    if (result.ok) this.#faults = result.value;
    return result;
  }

  newMessageId(): string {
    const id = String(this.#nextMessageId);
    this.#nextMessageId += 1;
    return id;
  }

  /** `queueIsFull`: the ESME is owed more than the SMSC keeps. `cuts`: its session is to be cut instead of answered. */
  take(systemId: string, pdu: SubmitPdu, queueIsFull: boolean): { readonly line: SubmitLine; readonly cuts: boolean } {
    const { submission, refusal } = readSubmission(pdu);
    const status = refusal === 0 && queueIsFull ? COMMAND_STATUS.RMSGQFUL.code : refusal;
    const verdict = status === 0 ? this.#judge(submission) : refused(status);
    return { line: this.#lineOf(systemId, submission, verdict), cuts: verdict.cuts === true };
  }

  /** Learns from a line of an earlier process: ids go on after its own, and its tries count. */
  recall(line: LogLine): void {
    if (line.messageId !== null) this.#nextMessageId = Math.max(this.#nextMessageId, Number(line.messageId) + 1);
    if (line.kind === "submit") this.#tries.isNotTaken(scenarioOf(line.destination), line);
  }

  /** Counting faults come first, the number's scenario after them. */
  #judge(submission: Submission): Verdict {
    if (this.#spend("unansweredSubmits")) return { status: null, isTaken: this.#faults.unansweredAreTaken };
    if (this.#spend("throttledSubmits")) return refused(COMMAND_STATUS.RTHROTTLED.code);
    if (this.#spend("failedSubmits")) return refused(COMMAND_STATUS.RSYSERR.code);
    const scenario = scenarioOf(submission.destination);
    if (this.#tries.isNotTaken(scenario, submission)) return refused(scenario.notTaken?.status ?? null);
    if (this.#spend("disconnectAfterSubmits"))
      return { status: null, isTaken: true, cuts: this.#faults.disconnectAfterSubmits === 0 };
    return { status: COMMAND_STATUS.ROK.code, isTaken: true };
  }

  /** Whether the counter has anything left; then it has one less. */
  #spend(counter: "unansweredSubmits" | "throttledSubmits" | "failedSubmits" | "disconnectAfterSubmits"): boolean {
    const left = this.#faults[counter];
    if (left > 0) this.#faults = { ...this.#faults, [counter]: left - 1 };
    return left > 0;
  }

  #lineOf(systemId: string, submission: Submission, { status, isTaken }: Verdict): SubmitLine {
    const at = this.#clock.now().toISOString();
    const begun = { kind: "submit", at, systemId, status } as const;
    if (!isTaken) return { ...begun, messageId: null, ...submission, outcome: null, receipts: [] };
    const { receipts, receiptsOfPart, networkError } = scenarioOf(submission.destination);
    const { total = 1, index = 1 } = submission.concatenation ?? {};
    const stats = (total > 1 && receiptsOfPart?.[index]) || receipts;
    // A number that never takes anything has no receipts, and is only taken when a fault says so.
    const outcome = stats.find((stat) => stat !== "ENROUTE") ?? "DELIVRD";
    return {
      ...begun,
      messageId: this.newMessageId(),
      ...submission,
      outcome,
      ...(outcome !== "DELIVRD" && networkError !== undefined && { networkError }),
      receipts: this.#receiptsWanted(submission.registeredDelivery, outcome, stats),
    };
  }

  /** By the two low bits of registered_delivery (SMPP 3.4, section 5.2.17; 3 is SMPP 5.0's) and the faults. */
  #receiptsWanted(
    registeredDelivery: number,
    outcome: ReceiptStat,
    stats: readonly ReceiptStat[],
  ): readonly ReceiptStat[] {
    const wanted = registeredDelivery & 0x03;
    if (wanted === 0 || (wanted === 2 && outcome === "DELIVRD") || (wanted === 3 && outcome !== "DELIVRD")) return [];
    const { unorderedReceipts, duplicateReceipts } = this.#faults;
    const sent: readonly ReceiptStat[] = unorderedReceipts ? [...stats, "ENROUTE"] : stats;
    return duplicateReceipts ? sent.flatMap((stat) => [stat, stat]) : sent;
  }
}
