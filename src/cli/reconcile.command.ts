import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { ConfigFile } from "../config-file.ts";
import type { Database } from "../db/database.ts";
import { encodeId } from "../kernel/ids.ts";
import { PROVIDERS } from "../providers/registry.ts";
import { FINDINGS, type FindingKind } from "../reconciliation/compare.ts";
import { compareStatement } from "../reconciliation/compare-statement.ts";
import { type ColumnNames, readStatement } from "../reconciliation/statement.ts";
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

/** What was found before and is closed is told, and is no fault any more. */
export async function reconcile(db: Database, file: ConfigFile, options: ReconcileOptions): Promise<Report> {
  const { provider, path, at, from, to, column } = options;
  if (from && to && from > to) throw new CannotRun("--from is after --to.");
  const format = formatOf(file, provider);
  const read = readStatement(await readText(path), format, column);
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
  const ok = findings.every(({ case_status: status }) => status === "closed");
  const covered = period && { from: period.from.toISOString(), to: period.to.toISOString() };
  const head = [
    `${references} references in the statement${unnamed > 0 ? `; ${unnamed} lines have neither our reference nor the vendor's number, and were left out` : ""}.`,
    period
      ? `${period.attempts} attempts of ours, whatever became of them, from ${covered?.from} to ${covered?.to}.`
      : "The statement has no times: what is missing in it can't be told. Give --from and --to.",
    ...(askedAgain > 0 ? [`${askedAgain} purchases are asked about again, as the vendor has news of them.`] : []),
  ].join("\n");
  const rows = findings.map(({ found, reference, purchase, ours, theirs, case: id, case_status: status }) => ({
    cells: [id, status, found],
    notes: [`${reference}: ours ${ours}, theirs ${theirs}`, purchase ?? ""],
  }));
  const text =
    findings.length === 0
      ? `${head}\nBoth books agree.`
      : `${head}\n\n${tableWithNotes(["CASE", "STATUS", "FOUND"], rows)}\n\n${meanings(findings)}`;
  return {
    ok,
    json: { ok, references, unnamed, asked_again: askedAgain, covered: covered ?? null, findings },
    text,
  };
}

const meanings = (findings: readonly { readonly found: FindingKind }[]): string =>
  Object.entries(FINDINGS)
    .filter(([kind]) => findings.some(({ found }) => found === kind))
    .map(([kind, meaning]) => `${kind}: ${meaning}.`)
    .join("\n");

const listed = (faults: readonly string[]): string => faults.map((fault) => `  - ${fault}`).join("\n");

function formatOf({ providers }: ConfigFile, name: string) {
  const configured = providers[name];
  if (!configured)
    throw new CannotRun(`There is no provider "${name}"; the configuration has ${Object.keys(providers).join(", ")}.`);
  const { statement } = PROVIDERS.find(({ adapter }) => adapter === configured.adapter) ?? {};
  if (!statement) throw new CannotRun(`"${name}" (${configured.adapter}) has no statements that can be compared.`);
  return statement;
}

const WHY_NOT: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not",
  EISDIR: "it is a folder",
};

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > BYTES_MAX)
      throw new CannotRun(`${path} is larger than ${BYTES_MAX / 1024 / 1024} MiB; cut it by months.`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CannotRun(`${path} can't be read: ${(code && WHY_NOT[code]) ?? message}`);
  }
}
