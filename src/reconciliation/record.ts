import { findFindings, openCase } from "../cases/cases.repo.ts";
import type { Database } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { hintOrder } from "../orders/reports.repo.ts";
import type { Comparison, Finding } from "./compare.ts";

/** A difference and its case. */
export interface RecordedFinding extends Finding {
  readonly caseId: Uuid;
  readonly status: "new" | "open" | "closed";
}

/** The source of the vendor's record. */
export interface Source {
  readonly provider: string;
  /** `statement june.csv`, `requery`. */
  readonly source: string;
  readonly at: Date;
}

/** A stable text per finding, so that it becomes one case. Another answer of the vendor's is another finding. */
const wordsOf = (provider: string, { kind, reference, theirs }: Finding): string =>
  `${provider} ${reference} ${kind}: ${theirs}`;

/**
 * Makes a case of each finding that is none yet, and has the orders that the vendor has news of asked about, by whichever
 * node is running: what it then says moves the money by the rules of any answer.
 */
export async function recordComparison(
  db: Database,
  { findings, askAgain }: Comparison,
  { provider, source, at }: Source,
): Promise<readonly RecordedFinding[]> {
  for (const finding of findings) {
    const { kind, reference, order, ours, theirs, ids } = finding;
    const evidence = { provider, reference, found: kind, ours, theirs, vendor_ids: ids, source };
    await openCase(db, { kind: "reconciliation", order, finding: wordsOf(provider, finding), evidence, at });
  }
  for (const reference of askAgain) await hintOrder(db, provider, reference);
  const cases = await findFindings(
    db,
    findings.map((finding) => wordsOf(provider, finding)),
  );
  return findings.flatMap((finding): RecordedFinding[] => {
    const known = cases.get(wordsOf(provider, finding));
    if (!known) return [];
    const isNew = known.openedAt.getTime() === at.getTime();
    return [{ ...finding, caseId: known.id, status: known.closedAt ? "closed" : isNew ? "new" : "open" }];
  });
}
