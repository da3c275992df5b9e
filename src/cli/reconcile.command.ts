import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import { encodeId } from "../kernel/ids.ts";
import { PROVIDERS } from "../providers/registry.ts";
import { FINDINGS, type FindingKind } from "../reconciliation/compare.ts";
import { compareStatement } from "../reconciliation/compare-statement.ts";
import { type ColumnNames, readStatement } from "../reconciliation/statement.ts";
import { textOf } from "../reconciliation/statement-text.ts";
import { CannotRun, type Report, tableWithNotes } from "./report.ts";

export type StatementColumns = ColumnNames;

const BYTES_MAX = 256 * 1024 * 1024;

export interface ReconcileOptions {
  readonly provider: string;
  readonly path: string;
  readonly at: Date;
  readonly from?: Date;
  readonly to?: Date;
  readonly column?: StatementColumns;
}

/** Compares a statement with our records. Closed findings are listed but do not count as faults. */
export async function reconcile(db: Database, file: ConfigFile, options: ReconcileOptions): Promise<Report> {
  const { provider, path, at, from, to, column } = options;
  if (from && to && from > to) throw new CannotRun("--from is after --to.");
  const format = formatOf(file, provider);
  const csv = textOf(await readBytes(path));
  if (!csv.ok) throw new CannotRun(`${path} can't be read as a statement: ${csv.error}`);
  const read = readStatement(csv.value, format, column);
  if (!read.ok) throw new CannotRun(`${path} can't be read as a statement:\n${listed(read.error)}`);
  const compared = await compareStatement(db, {
    provider,
    source: `statement ${basename(path)}`,
    at,
    lines: read.value,
    from,
    to,
  });
  if (!compared.ok) throw new CannotRun(`${path} can't be compared: ${compared.error}`);
  const { period, references, unnamed, askedAgain } = compared.value;
  const findings = compared.value.findings.map(({ kind, reference, order, ours, theirs, ids, caseId, status }) => ({
    found: kind,
    reference,
    purchase: order ? encodeId("pur", order.id) : null,
    ours,
    theirs,
    vendor_ids: ids,
    case: encodeId("cas", caseId),
    case_status: status,
  }));
  // A line that can't be compared counts as a fault.
  const ok = unnamed.length === 0 && findings.every(({ case_status: status }) => status === "closed");
  const covered = { from: period.from.toISOString(), to: period.to.toISOString() };
  const head = [
    `${references} references in the statement.`,
    `${period.attempts} attempts in our records, whatever their outcome, from ${covered.from} to ${covered.to}.`,
    ...(unnamed.length > 0
      ? [`Not compared, as totals or without our reference or the vendor's number: ${linesText(unnamed)}.`]
      : []),
    ...(askedAgain > 0 ? [`${askedAgain} purchases are queried again, as the vendor has news of them.`] : []),
  ].join("\n");
  const rows = findings.map(({ found, reference, purchase, ours, theirs, case: id, case_status: status }) => ({
    cells: [id, status, found],
    notes: [`${reference}: ours ${ours}, theirs ${theirs}`, purchase ?? ""],
  }));
  const text =
    findings.length === 0
      ? `${head}\n${ok ? "The records agree." : "All other lines agree."}`
      : `${head}\n\n${tableWithNotes(["CASE", "STATUS", "FOUND"], rows)}\n\n${meanings(findings)}`;
  return {
    ok,
    json: { ok, references, unnamed, asked_again: askedAgain, covered, findings },
    text,
  };
}

const meanings = (findings: readonly { readonly found: FindingKind }[]): string =>
  Object.entries(FINDINGS)
    .filter(([kind]) => findings.some(({ found }) => found === kind))
    .map(([kind, meaning]) => `${kind}: ${meaning}.`)
    .join("\n");

const LINES_SHOWN = 10;
const linesText = (lines: readonly number[]): string =>
  `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, LINES_SHOWN).join(", ")}${lines.length > LINES_SHOWN ? ` and ${lines.length - LINES_SHOWN} more` : ""}`;

const listed = (faults: readonly string[]): string => faults.map((fault) => `  - ${fault}`).join("\n");

function formatOf({ providers }: ConfigFile, name: string) {
  const configured = providers[name];
  if (!configured)
    throw new CannotRun(`There is no vendor "${name}"; configured: ${Object.keys(providers).join(", ")}.`);
  const { statement } = PROVIDERS.find(({ adapter }) => adapter === configured.adapter) ?? {};
  if (!statement) throw new CannotRun(`"${name}" (${configured.adapter}) has no supported statement format.`);
  return statement;
}

const WHY_NOT: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
};

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > BYTES_MAX)
      throw new CannotRun(`${path} is larger than ${BYTES_MAX / 1024 / 1024} MiB; split it by month.`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CannotRun(`${path} can't be read: ${(code && WHY_NOT[code]) ?? message}`);
  }
}
