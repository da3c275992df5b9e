import type { Database } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import type { Log } from "../kernel/log.ts";
import { referenceKeyOf } from "./report-matcher.ts";
import { type HintMet, hintOrder, type ReferenceKey } from "./reports.repo.ts";

/** A callback that names an attempt of ours: a reason to ask its vendor, and no outcome by itself. */
export interface Hint extends ReferenceKey {
  /** The callback is certainly the vendor's. */
  readonly isKnown: boolean;
}

const BATCH_MAX = 256;

/** Handles one hint at a time and merges equal ones: invented references must not use up the database's connections. */
export class HintLane {
  readonly #db: Database;
  readonly #log: Log;
  readonly #lane = makeCommitLane<Hint, undefined>({ batchMax: BATCH_MAX, run: (batch) => this.#take(batch) });

  constructor(db: Database, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  submit(hint: Hint): Promise<undefined> {
    return this.#lane.submit(hint);
  }

  idle(): Promise<void> {
    return this.#lane.idle();
  }

  async #take(batch: readonly Hint[]): Promise<undefined[]> {
    const met = new Map<string, HintMet>();
    const known = new Set(batch.filter(({ isKnown }) => isKnown).map(referenceKeyOf));
    for (const { route, reference } of batch) {
      const key = referenceKeyOf({ route, reference });
      if (met.has(key)) continue;
      met.set(key, await hintOrder(this.#db, route, reference, known.has(key)));
      if (met.get(key) === "outdated")
        this.#log.error(
          { route, reference },
          "a vendor speaks of an attempt that was given up; see ./afara cases list",
        );
    }
    const unknown = batch.filter((one) => met.get(referenceKeyOf(one)) === "unknown");
    const [first] = unknown;
    if (first)
      this.#log.warn(
        { route: first.route, reference: first.reference, callbacks: unknown.length },
        "a callback names no attempt of ours",
      );
    return batch.map(() => undefined);
  }
}
