import type { Database } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import { mayHeal, runBatchOrSingly } from "../db/retry-batch.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { loggedCode } from "../kernel/logged-code.ts";
import type { ProviderReport } from "../ports/provider.ts";
import { decideReport } from "./decide-report.ts";
import type { EngineSpans } from "./engine-spans.ts";
import { HintLane } from "./hint-lane.ts";
import type { Arrived, Matched } from "./match-report.ts";
import type { Order } from "./order.ts";
import type { Recorder } from "./recorder.ts";
import { ReportMatcher, referenceKeyOf } from "./report-matcher.ts";
import {
  clearParked,
  countStrays,
  type ParkedRow,
  parkMismatched,
  parkReports,
  type ReferenceKey,
  readParked,
  reportsOf,
  sweepParked,
} from "./reports.repo.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** Vendors' reports and callbacks find their orders here, whether the report or the record of the answer comes first. */
export interface Reports {
  /** Resolves once the report is committed (with its order, or parked until that is recorded): acknowledge only then. */
  report(route: string, report: ProviderReport): Promise<void>;
  /**
   * A callback about the attempt with this reference of ours: its vendor is asked about it. `isKnown`: the callback is the vendor's
   * for certain; otherwise nothing but the question follows, and later when such a callback led to a question recently.
   */
  hint(route: string, reference: string, isKnown?: boolean): Promise<void>;
  /** Matches the reports that are parked on these references, which have an order now. */
  workOff(references: readonly ReferenceKey[]): Promise<void>;
  /** Matches parked reports that were left behind. */
  sweep(): Promise<void>;
  idle(): Promise<void>;
}

export interface ReportsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly recorder: Recorder;
  readonly spans?: EngineSpans | undefined;
}

const BATCH_MAX = 256;
/** A batch reads, then writes: with one at a time receipts fall behind the submits that they follow. */
const CONCURRENCY = 3;
const SWEEP_MAX = 500;
const STRAYS_EVERY_MS = 60_000;
const FIRST: ReferenceKey = { route: "", reference: "" };

export const makeReports = (options: ReportsOptions): Reports => new ReportLane(options);

class ReportLane implements Reports {
  readonly #options: ReportsOptions;
  readonly #matcher: ReportMatcher;
  readonly #hints: HintLane;
  readonly #lane = makeCommitLane<Arrived, undefined>({
    batchMax: BATCH_MAX,
    concurrency: CONCURRENCY,
    run: (arrived) => this.#takeOrDrop(arrived),
  });
  /** Where the next sweep goes on: parked reports that can't be matched must not stand before those that can. */
  #sweptTo = FIRST;
  #nextStraysMs = 0;

  constructor(options: ReportsOptions) {
    this.#options = options;
    this.#matcher = new ReportMatcher(options);
    this.#hints = new HintLane(options.db, options.log);
  }

  report(route: string, report: ProviderReport): Promise<void> {
    return this.#lane.submit({ route, report });
  }

  hint(route: string, reference: string, isKnown = false): Promise<void> {
    return this.#hints.submit({ route, reference, isKnown });
  }

  async workOff(references: readonly ReferenceKey[]): Promise<void> {
    await this.#matchParked(await readParked(this.#options.db, references));
  }

  async sweep(): Promise<void> {
    const rows = await sweepParked(this.#options.db, this.#sweptTo, SWEEP_MAX);
    this.#sweptTo = rows.length < SWEEP_MAX ? FIRST : (rows.at(-1) ?? FIRST);
    await this.#matchParked(rows);
    await this.#warnOfStrays();
  }

  async idle(): Promise<void> {
    await Promise.all([this.#lane.idle(), this.#hints.idle()]);
  }

  /** One report that can't be stored must not keep the others back, nor come back for ever: it is logged and acknowledged. */
  async #takeOrDrop(arrived: readonly Arrived[]): Promise<readonly (undefined | Error)[]> {
    const answers = await runBatchOrSingly(arrived, (some) => this.#take(some));
    return answers.map((answer, index) => {
      if (!(answer instanceof Error) || mayHeal(answer)) return answer;
      this.#options.log.error(
        { error: answer.message, route: arrived[index]?.route },
        "a report can't be stored; it is dropped",
      );
      return undefined;
    });
  }

  /** Applies what has an order, and parks the rest until its order is recorded. */
  async #take(arrived: readonly Arrived[]): Promise<readonly undefined[]> {
    const { db, log } = this.#options;
    let open = arrived;
    while (open.length > 0) {
      const { matched, mismatched, unknown, nameless } = await this.#matcher.match(open);
      await this.#apply(matched);
      for (const { route, report } of nameless)
        log.warn({ route, status: loggedCode(report.status) }, "a report names no message; it is dropped");
      const parked = [...(await parkReports(db, unknown)), ...(await parkMismatched(db, mismatched))];
      // These references were recorded between the match and the parking: they have an order (or another one) now.
      const recorded = new Set(parked.map(referenceKeyOf));
      const again = [...unknown, ...mismatched].filter((entry) => recorded.has(referenceKeyOf(entry)));
      open = [...new Map(again.map((entry) => [entry.report, entry])).values()];
    }
    return arrived.map(() => undefined);
  }

  /** At most one report an order and round, so that each is decided on what the one before left behind. */
  async #apply(matched: readonly Matched[]): Promise<void> {
    let rest = matched;
    while (rest.length > 0) {
      const round = new Map<Uuid, Matched>();
      const later: Matched[] = [];
      for (const one of rest) {
        if (round.has(one.order.id)) later.push(one);
        else round.set(one.order.id, one);
      }
      const settled = await Promise.all([...round.values()].map((one) => this.#applyOne(one)));
      const now = new Map(settled.flatMap((order) => (order ? [[order.id, order] as const] : [])));
      rest = later.map((one) => ({ ...one, order: now.get(one.order.id) ?? one.order }));
    }
  }

  async #applyOne(one: Matched): Promise<Order | undefined> {
    const { clock, recorder, services, spans } = this.#options;
    const service = services.get(one.order.service);
    if (!service) return undefined;
    const sinceMs = clock.monotonicMs();
    const settled = await recorder.settle("report", one.order, (order) => {
      const change = decideReport(service, order, one.report, one.match, clock.now());
      return change && one.learned ? { ...change, references: [...change.references, one.learned] } : change;
    });
    if (settled) spans?.reported(settled, one.route, sinceMs);
    return settled;
  }

  async #matchParked(rows: readonly ParkedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { db } = this.#options;
    const { matched, mismatched } = await this.#matcher.match(rows.flatMap(reportsOf));
    await this.#apply(matched);
    const recorded = new Set((await parkMismatched(db, mismatched)).map(referenceKeyOf));
    const done = rows.filter((row) => !recorded.has(referenceKeyOf(row)));
    await clearParked(db, done);
  }

  /** Warns the operator of a vendor whose receipts match nothing: its messages stay `sent` for ever. */
  async #warnOfStrays(): Promise<void> {
    const { db, clock, log } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs < this.#nextStraysMs) return;
    this.#nextStraysMs = nowMs + STRAYS_EVERY_MS;
    for (const { route, references, example } of await countStrays(db))
      log.warn({ route, references, example }, "receipts match no message of this route; check messageIds");
  }
}
