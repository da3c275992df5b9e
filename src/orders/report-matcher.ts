import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
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
import {
  type FoundReference,
  findAmbiguous,
  findAmbiguousByCorrelation,
  findAttempts,
  findReferences,
  type Parkable,
  type ReferenceKey,
} from "./reports.repo.ts";
import type { ServiceDefinition } from "./service-definition.ts";

export const referenceKeyOf = ({ route, reference }: ReferenceKey): string => `${route}\n${reference}`;

/** A report whose reference belongs to an order that it is not about. */
export type Mismatched = Parkable & { readonly orderId: Uuid };

/** What was found for each report of a batch. */
export interface MatchedBatch {
  readonly matched: readonly Matched[];
  readonly mismatched: readonly Mismatched[];
  /** Of a reference that no order has yet. */
  readonly unknown: readonly Parkable[];
  /** Without any reference. */
  readonly nameless: readonly Arrived[];
}

export interface ReportMatcherOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
}

/** Finds the order of each report: by its reference, else among the orders whose vendor reference was never learned. */
export class ReportMatcher {
  readonly #options: ReportMatcherOptions;

  constructor(options: ReportMatcherOptions) {
    this.#options = options;
  }

  async match(arrived: readonly Arrived[]): Promise<MatchedBatch> {
    const now = this.#options.clock.now();
    const echoed = await this.#attemptsOf(arrived);
    const references = await this.#referencesOf(arrived, now);
    const matched: Matched[] = [];
    const unmatched: Arrived[] = [];
    for (const one of arrived) {
      const ours = one.report.ourReference;
      const attempt = ours === undefined ? undefined : echoed.get(referenceKeyOf({ ...one, reference: ours }));
      const match = attempt ? matchOurs(one, attempt.order, attempt.attempt) : this.#matchByName(one, references);
      if (match) matched.push(match);
      else unmatched.push(one);
    }
    const ambiguous = await this.#ambiguousFor(unmatched);
    const mismatched: Mismatched[] = [];
    const unknown: Parkable[] = [];
    const nameless: Arrived[] = [];
    for (const one of unmatched) {
      const guess = guessAmbiguous(one, ambiguous, now, this.#senderOf);
      const names = namesOf(one);
      if (guess) matched.push(guess);
      else if (names.length === 0) nameless.push(one);
      // It waits under each of its names: nobody knows yet which of them its order will have.
      else
        for (const name of names) {
          const entry = references.found.get(referenceKeyOf(name));
          if (entry) mismatched.push({ ...name, report: one.report, orderId: entry.order.id });
          else unknown.push({ ...name, report: one.report });
        }
    }
    return { matched, mismatched, unknown, nameless };
  }

  /** The attempts whose own reference a report repeats. */
  async #attemptsOf(arrived: readonly Arrived[]) {
    const ours = arrived.flatMap(({ route, report: { ourReference } }) =>
      ourReference === undefined ? [] : [{ route, reference: ourReference }],
    );
    const attempts = await findAttempts(this.#options.db, ours);
    return new Map(attempts.map((entry) => [referenceKeyOf(entry), entry]));
  }

  /** The orders that have one of the reports' names now, and those that had it before. */
  async #referencesOf(arrived: readonly Arrived[], now: Date): Promise<References> {
    const { db } = this.#options;
    const entries = await findReferences(db, arrived.flatMap(namesOf), now);
    const earlier = await findOrders(
      db,
      entries.flatMap((entry) => entry.earlier.map(({ accountId, orderId: id }) => ({ accountId, id }))),
    );
    return { found: new Map(entries.map((entry) => [referenceKeyOf(entry), entry])), earlier };
  }

  #matchByName(one: Arrived, { found, earlier }: References): Matched | undefined {
    for (const name of namesOf(one)) {
      const entry = found.get(referenceKeyOf(name));
      if (!entry) continue;
      const before = entry.earlier.flatMap(({ orderId, ...place }): Named[] => {
        const order = earlier.get(orderId);
        return order ? [{ ...place, order }] : [];
      });
      const chosen = chooseNamed(one.report, [entry, ...before], this.#senderOf);
      if (!chosen) continue;
      const { order, attempt, piece } = chosen;
      const report = { ...one.report, providerReference: entry.reference };
      return { ...one, report, order, match: { attempt, piece } };
    }
    return undefined;
  }

  /** The orders that an unmatched report may be about: by the recipient's number, or by correlation where that is hidden. */
  async #ambiguousFor(unmatched: readonly Arrived[]): Promise<readonly Order[]> {
    const { db } = this.#options;
    const places = unmatched.flatMap(({ route, report }) => {
      const recipient = recipientOf(report);
      return recipient === undefined ? [] : [{ route, recipient }];
    });
    const hidden = unmatched.filter(({ report }) => isByCorrelationAlone(report));
    return [
      ...(await findAmbiguous(db, places)),
      ...(await findAmbiguousByCorrelation(
        db,
        hidden.map(({ route }) => route),
        hidden.flatMap(({ report: { correlation } }) => correlation ?? []),
      )),
    ];
  }

  readonly #senderOf: SenderOf = (order) =>
    (this.#options.services.get(order.service)?.senderOf ?? payloadSender)(order);
}

interface References {
  readonly found: ReadonlyMap<string, FoundReference>;
  readonly earlier: ReadonlyMap<Uuid, Order>;
}

/** The names that a report has for its message, the likelier first. */
const namesOf = ({ route, report: { providerReference, otherReference } }: Arrived): readonly ReferenceKey[] =>
  [providerReference, otherReference].flatMap((reference) => (reference === undefined ? [] : [{ route, reference }]));
