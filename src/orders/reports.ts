import type { Database } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import { mayHeal, runBatchOrSingly } from "../db/retry-batch.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { correlationOf, type Log, type ProviderReport } from "../providers/provider.ts";
import { decideReport, type ReportMatch } from "./decide-report.ts";
import type { LearnedReference, Order } from "./order.ts";
import { clearParked, findAmbiguous, findReferences, parkReports, readParked, sweepParked } from "./orders.repo.ts";
import type { Recorder } from "./recorder.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** Vendors' later words meet their orders here, whatever comes first: the report, or the record of the answer it follows. */
export interface Reports {
  /** Resolves once the report is committed (with its order, or parked until that is recorded): acknowledge only then. */
  report(route: string, report: ProviderReport): Promise<void>;
  /** Works off what was parked on these references. */
  workOff(references: readonly { readonly route: string; readonly reference: string }[]): Promise<void>;
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
}

interface Arrived {
  readonly route: string;
  readonly report: ProviderReport;
}

interface Matched extends Arrived {
  readonly order: Order;
  readonly match: ReportMatch;
  /** Set when the reference was learned from the report itself. */
  readonly learned?: LearnedReference;
}

const BATCH_MAX = 256;
const SWEEP_MAX = 500;

export function makeReports({ db, clock, log, services, recorder }: ReportsOptions): Reports {
  const keyOf = (route: string, reference: string) => `${route}\n${reference}`;

  /** Finds the order of each report: by its reference, else among the orders whose own reference was never learned. */
  const match = async (arrived: readonly Arrived[]): Promise<{ matched: Matched[]; lost: Arrived[] }> => {
    const named = arrived.flatMap(({ route, report }) =>
      report.providerReference === undefined ? [] : [{ route, reference: report.providerReference }],
    );
    const found = new Map(
      (await findReferences(db, named)).map((entry) => [keyOf(entry.route, entry.reference), entry]),
    );
    const matched: Matched[] = [];
    const unmatched: Arrived[] = [];
    for (const one of arrived) {
      const entry =
        one.report.providerReference === undefined
          ? undefined
          : found.get(keyOf(one.route, one.report.providerReference));
      if (entry) matched.push({ ...one, order: entry.order, match: { attempt: entry.attempt, piece: entry.piece } });
      else unmatched.push(one);
    }
    const places = unmatched.flatMap(({ route, report }) =>
      report.recipient ? [{ route, recipient: report.recipient }] : [],
    );
    const ambiguous = await findAmbiguous(db, places);
    const lost: Arrived[] = [];
    for (const one of unmatched) {
      const guess = guessAmbiguous(one, ambiguous);
      if (guess) matched.push(guess);
      else lost.push(one);
    }
    return { matched, lost };
  };

  /** Applies matched reports: at most one an order and round, so that each is decided on what the one before left behind. */
  const apply = async (matched: readonly Matched[]): Promise<void> => {
    let rest = matched;
    while (rest.length > 0) {
      const round = new Map<Uuid, Matched>();
      const later: Matched[] = [];
      for (const one of rest) {
        if (round.has(one.order.id)) later.push(one);
        else round.set(one.order.id, one);
      }
      const settled = await Promise.all([...round.values()].map((one) => applyOne(one)));
      const now = new Map(settled.flatMap((order) => (order ? [[order.id, order] as const] : [])));
      rest = later.map((one) => ({ ...one, order: now.get(one.order.id) ?? one.order }));
    }
  };

  const applyOne = (one: Matched): Promise<Order | undefined> => {
    const service = services.get(one.order.service);
    if (!service) return Promise.resolve(undefined);
    return recorder.settle("report", one.order, (order) => {
      const change = decideReport(service, order, one.report, one.match, clock.now());
      return change && one.learned ? { ...change, references: [...change.references, one.learned] } : change;
    });
  };

  const run = async (arrived: readonly Arrived[]): Promise<readonly undefined[]> => {
    let open = arrived;
    while (open.length > 0) {
      const { matched, lost } = await match(open);
      await apply(matched);
      const parkable = lost.flatMap(({ route, report }) =>
        report.providerReference === undefined ? [] : [{ route, reference: report.providerReference, report }],
      );
      for (const { route, report } of lost)
        if (report.providerReference === undefined)
          log.warn({ route, status: report.status }, "a report names no message; it is dropped");
      if (parkable.length === 0) break;
      const met = await parkReports(db, parkable);
      // Their records were committed between our look and the parking: they have an order now.
      open = parkable.filter((entry) => met.has(keyOf(entry.route, entry.reference)));
    }
    return arrived.map(() => undefined);
  };

  /** One report that can't be stored must not keep the others back, nor come back for ever: it is told and acknowledged. */
  const runApart = async (arrived: readonly Arrived[]): Promise<readonly (undefined | Error)[]> => {
    const answers = await runBatchOrSingly(arrived, run);
    return answers.map((answer, index) => {
      if (!(answer instanceof Error) || mayHeal(answer)) return answer;
      log.error({ error: answer.message, route: arrived[index]?.route }, "a report can't be stored; it is dropped");
      return undefined;
    });
  };

  const lane = makeCommitLane<Arrived, undefined>({ batchMax: BATCH_MAX, run: runApart });

  const replay = async (parked: readonly { route: string; reference: string; report: ProviderReport }[]) => {
    if (parked.length === 0) return;
    const { matched } = await match(parked);
    await apply(matched);
    const done = matched.flatMap(({ route, report }) =>
      report.providerReference === undefined ? [] : [{ route, reference: report.providerReference }],
    );
    await clearParked(db, done);
  };

  return {
    report: (route, report) => lane.submit({ route, report }),
    workOff: async (references) => replay(await readParked(db, references)),
    sweep: async () => replay(await sweepParked(db, SWEEP_MAX)),
    idle: () => lane.idle(),
  };
}

/**
 * The order that a receipt with an unknown reference belongs to: the one whose piece has the echoed correlation, or, where
 * the vendor echoes none, the only one to that number from that sender within its time.
 */
export function guessAmbiguous({ route, report }: Arrived, orders: readonly Order[]): Matched | undefined {
  const candidates = orders.filter((order) => order.route === route && order.recipient === report.recipient);
  const learn = (order: Order, attempt: number, piece: number): Matched => ({
    route,
    report,
    order,
    match: { attempt, piece: order.pieces?.[piece] ? piece : null },
    ...(report.providerReference === undefined
      ? {}
      : { learned: { route, reference: report.providerReference, attempt, piece } }),
  });
  if (report.correlation !== undefined) {
    for (const order of candidates)
      for (let attempt = order.attempt; attempt >= 1; attempt--)
        for (let piece = 0; piece < Math.max(order.pieces?.length ?? 0, 1); piece++)
          if (correlationOf(order.id, attempt, piece) === report.correlation) return learn(order, attempt, piece);
    return undefined;
  }
  const fitting = candidates.filter(
    (order) =>
      (report.sender === undefined || senderOf(order) === report.sender) &&
      report.at >= new Date(order.createdAt.getTime() - CLOCK_SLACK_MS),
  );
  const [only, ...others] = fitting;
  return only && others.length === 0 && (only.pieces?.length ?? 1) <= 1 ? learn(only, only.attempt, 0) : undefined;
}

/** Receipts carry minutes at best, by the vendor's clock. */
const CLOCK_SLACK_MS = 120_000;

const senderOf = (order: Order): string | undefined => {
  const { payload } = order;
  return typeof payload === "object" && payload !== null && "from" in payload && typeof payload.from === "string"
    ? payload.from
    : undefined;
};
