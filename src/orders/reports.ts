import type { Database } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import { mayHeal, runBatchOrSingly } from "../db/retry-batch.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { loggedCode } from "../kernel/logged-code.ts";
import type { ProviderReport } from "../ports/provider.ts";
import { decideReport } from "./decide-report.ts";
import {
  type Arrived,
  chooseNamed,
  guessAmbiguous,
  isByCorrelationAlone,
  type Matched,
  matchOurs,
  type Named,
  payloadSender,
  recipientOf,
  type SenderOf,
} from "./match-report.ts";
import type { Order } from "./order.ts";
import { findOrders } from "./orders.repo.ts";
import type { Recorder } from "./recorder.ts";
import {
  clearParked,
  countStrays,
  type FoundReference,
  findAmbiguous,
  findAmbiguousByCorrelation,
  findAttempts,
  findReferences,
  type HintMet,
  hintOrder,
  type Parkable,
  type ParkedRow,
  parkMismatched,
  parkReports,
  type ReferenceKey,
  readParked,
  reportsOf,
  sweepParked,
} from "./reports.repo.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/** A callback's word about an attempt. */
interface Hint extends ReferenceKey {
  readonly isKnown: boolean;
}

/** Vendors' later words meet their orders here, whatever comes first: the report, or the record of the answer it follows. */
export interface Reports {
  /** Resolves once the report is committed (with its order, or parked until that is recorded): acknowledge only then. */
  report(route: string, report: ProviderReport): Promise<void>;
  /**
   * A word about the attempt with this reference of ours: its order is asked about. `isKnown`: it is the vendor's for certain; else
   * nothing but the question comes of it, at once or, when such a word led to one lately, once some time has passed.
   */
  hint(route: string, reference: string, isKnown?: boolean): Promise<void>;
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

const BATCH_MAX = 256;
/** A batch reads, then writes: with one at a time receipts fall behind the submits that they follow. */
const CONCURRENCY = 3;
const SWEEP_MAX = 500;
const STRAYS_EVERY_MS = 60_000;
const FIRST: ReferenceKey = { route: "", reference: "" };

const keyOf = ({ route, reference }: ReferenceKey): string => `${route}\n${reference}`;

/** The names that a report has for its message, the likelier first. */
const namesOf = ({ route, report: { providerReference, otherReference } }: Arrived): readonly ReferenceKey[] =>
  [providerReference, otherReference].flatMap((reference) => (reference === undefined ? [] : [{ route, reference }]));

/** The first that `find` finds. */
function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A report whose reference an order has that it is not about. */
type Mismatched = Parkable & { readonly orderId: Uuid };

export function makeReports({ db, clock, log, services, recorder }: ReportsOptions): Reports {
  const senderOf: SenderOf = (order) => (services.get(order.service)?.senderOf ?? payloadSender)(order);

  /** Finds the order of each report: by its reference, else among the orders whose own reference was never learned. */
  const match = async (
    arrived: readonly Arrived[],
  ): Promise<{ matched: Matched[]; mismatched: Mismatched[]; unknown: Parkable[]; nameless: Arrived[] }> => {
    const now = clock.now();
    const echoed = new Map(
      (
        await findAttempts(
          db,
          arrived.flatMap(({ route, report }) =>
            report.ourReference === undefined ? [] : [{ route, reference: report.ourReference }],
          ),
        )
      ).map((entry) => [keyOf(entry), entry]),
    );
    const named = arrived.flatMap(namesOf);
    const found = new Map((await findReferences(db, named, now)).map((entry) => [keyOf(entry), entry]));
    const earlier = await findOrders(
      db,
      [...found.values()].flatMap((entry) => entry.earlier.map(({ accountId, orderId: id }) => ({ accountId, id }))),
    );
    const foundFor = (one: Arrived): readonly FoundReference[] =>
      namesOf(one).flatMap((name) => found.get(keyOf(name)) ?? []);
    const matched: Matched[] = [];
    const unmatched: Arrived[] = [];
    for (const one of arrived) {
      const ours = one.report.ourReference;
      const attempt = ours === undefined ? undefined : echoed.get(keyOf({ route: one.route, reference: ours }));
      if (attempt) {
        matched.push(matchOurs(one, attempt.order, attempt.attempt));
        continue;
      }
      const met = firstOf(foundFor(one), (entry) => {
        const before = entry.earlier.flatMap(({ orderId, ...place }): Named[] => {
          const order = earlier.get(orderId);
          return order ? [{ ...place, order }] : [];
        });
        const chosen = chooseNamed(one.report, [entry, ...before], senderOf);
        return chosen && { chosen, reference: entry.reference };
      });
      if (met) {
        const { order, attempt, piece } = met.chosen;
        const report = { ...one.report, providerReference: met.reference };
        matched.push({ ...one, report, order, match: { attempt, piece } });
      } else unmatched.push(one);
    }
    const places = unmatched.flatMap(({ route, report }) => {
      const recipient = recipientOf(report);
      return recipient === undefined ? [] : [{ route, recipient }];
    });
    const hidden = unmatched.filter(({ report }) => isByCorrelationAlone(report));
    const ambiguous = [
      ...(await findAmbiguous(db, places)),
      ...(await findAmbiguousByCorrelation(
        db,
        hidden.map(({ route }) => route),
        hidden.flatMap(({ report: { correlation } }) => correlation ?? []),
      )),
    ];
    const mismatched: Mismatched[] = [];
    const unknown: Parkable[] = [];
    const nameless: Arrived[] = [];
    for (const one of unmatched) {
      const guess = guessAmbiguous(one, ambiguous, now, senderOf);
      const names = namesOf(one);
      if (guess) matched.push(guess);
      else if (names.length === 0) nameless.push(one);
      // It waits under each of its names: nobody knows yet which of them its order will have.
      else
        for (const name of names) {
          const entry = found.get(keyOf(name));
          if (entry) mismatched.push({ ...name, report: one.report, orderId: entry.order.id });
          else unknown.push({ ...name, report: one.report });
        }
    }
    return { matched, mismatched, unknown, nameless };
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
      const { matched, mismatched, unknown, nameless } = await match(open);
      await apply(matched);
      for (const { route, report } of nameless)
        log.warn({ route, status: loggedCode(report.status) }, "a report names no message; it is dropped");
      const met = new Set([...(await parkReports(db, unknown)), ...(await parkMismatched(db, mismatched))].map(keyOf));
      // Their records were committed between our look and the parking: they have an order (or another one) now.
      const again = [...unknown, ...mismatched].filter((entry) => met.has(keyOf(entry)));
      open = [...new Map(again.map((entry) => [entry.report, entry])).values()];
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

  /** One at a time, and the same one once: whoever makes words up must not take all connections to the database. */
  const takeHints = async (batch: readonly Hint[]): Promise<undefined[]> => {
    const met = new Map<string, HintMet>();
    const known = new Set(batch.filter(({ isKnown }) => isKnown).map(keyOf));
    for (const { route, reference } of batch) {
      const key = keyOf({ route, reference });
      if (met.has(key)) continue;
      met.set(key, await hintOrder(db, route, reference, known.has(key)));
      if (met.get(key) === "outdated")
        log.error({ route, reference }, "a vendor speaks of an attempt that was given up; see ./afara cases list");
    }
    const unknown = batch.filter((one) => met.get(keyOf(one)) === "unknown");
    const [first] = unknown;
    if (first)
      log.warn(
        { route: first.route, reference: first.reference, callbacks: unknown.length },
        "a callback names no attempt of ours",
      );
    return batch.map(() => undefined);
  };
  const hints = makeCommitLane<Hint, undefined>({ batchMax: BATCH_MAX, run: takeHints });

  const lane = makeCommitLane<Arrived, undefined>({ batchMax: BATCH_MAX, concurrency: CONCURRENCY, run: runApart });

  const replay = async (rows: readonly ParkedRow[]): Promise<void> => {
    if (rows.length === 0) return;
    const { matched, mismatched } = await match(rows.flatMap(reportsOf));
    await apply(matched);
    const met = new Set((await parkMismatched(db, mismatched)).map(keyOf));
    await clearParked(
      db,
      rows.filter((row) => !met.has(keyOf(row))),
    );
  };

  /** Where the next sweep goes on: what can't be matched after all must not stand before what can. */
  let sweptTo = FIRST;
  const sweep = async (): Promise<void> => {
    const rows = await sweepParked(db, sweptTo, SWEEP_MAX);
    sweptTo = rows.length < SWEEP_MAX ? FIRST : (rows.at(-1) ?? FIRST);
    await replay(rows);
  };

  /** An operator must hear of a vendor whose receipts match nothing: its messages stay `sent` for ever. */
  let nextLookMs = 0;
  const warnOfStrays = async (): Promise<void> => {
    const nowMs = clock.monotonicMs();
    if (nowMs < nextLookMs) return;
    nextLookMs = nowMs + STRAYS_EVERY_MS;
    for (const { route, references, example } of await countStrays(db))
      log.warn({ route, references, example }, "receipts match no message of this route; check messageIds");
  };

  return {
    hint: (route, reference, isKnown = false) => hints.submit({ route, reference, isKnown }),
    report: (route, report) => lane.submit({ route, report }),
    workOff: async (references) => replay(await readParked(db, references)),
    async sweep() {
      await sweep();
      await warnOfStrays();
    },
    async idle() {
      await Promise.all([lane.idle(), hints.idle()]);
    },
  };
}
