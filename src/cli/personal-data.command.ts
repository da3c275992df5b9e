import { open, rm } from "node:fs/promises";
import { audit } from "../accounts/audit.repo.ts";
import { SERVICES } from "../app/services.ts";
import { makeErasedName } from "../kernel/erased-name.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import { addressesOf, type Sought } from "../retention/addresses.repo.ts";
import { detailsOf, type Erasure, erase, eraseable } from "../retention/erase.ts";
import { ordersOf, rowsAbout } from "../retention/person.repo.ts";
import { ofAccount } from "./account-argument.ts";
import type { Session } from "./cli.ts";
import { CannotRun, type Report, tableText } from "./report.ts";
import { ownSecret } from "./secret.ts";

export interface PersonOptions {
  readonly phone: string;
  readonly account?: Uuid;
  readonly mode?: Mode;
}

/** Writes the rows about a number to a new file. Errors: throws `CannotRun` when the file exists or can't be written. */
export const dataExport = (session: Session, options: PersonOptions & { readonly out: string }): Promise<Report> =>
  ofAccount(session.db, options.account, () => exportAll(session, options));

async function exportAll(
  { db, config, clock, operator }: Session,
  { out, ...options }: PersonOptions & { readonly out: string },
): Promise<Report> {
  const sought = soughtBy(options);
  const erasedName = makeErasedName(await ownSecret(db, config));
  const file = await open(out, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CannotRun(
      error.code === "EEXIST" ? `${out} already exists: give another name, or remove it.` : `${out}: ${error.message}`,
    );
  });
  const counts: Record<string, number> = {};
  try {
    await db.snapshot(async (look) => {
      const addresses = await addressesOf(look, sought);
      for await (const line of rowsAbout(look, addresses, await ordersOf(look, addresses, clock.now()))) {
        counts[line.table] = (counts[line.table] ?? 0) + 1;
        await file.write(`${JSON.stringify(line)}\n`);
      }
    });
    await file.sync();
    await db.transaction((tx) =>
      audit(tx, {
        actor: operator,
        action: "personal_data.export",
        subject: erasedName(sought.phone),
        details: { ...detailsOf(sought, { orders: counts.orders ?? 0, later: 0, others: {} }), rows: sumOf(counts) },
      }),
    );
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return {
    ok: true,
    json: { ok: true, file: out, rows: sumOf(counts), tables: counts },
    text: `${sumOf(counts)} rows written to ${out}.`,
  };
}

/** Erases what is kept about a number, or counts it. */
export const dataErase = (session: Session, options: PersonOptions & { readonly yes?: true }): Promise<Report> =>
  ofAccount(session.db, options.account, async () => {
    const { db, config, clock, operator: actor } = session;
    const sought = soughtBy(options);
    const isDone = options.yes === true;
    const erasedName = makeErasedName(await ownSecret(db, config));
    const services = new Map(SERVICES.map((service) => [service.service, service]));
    const counts = isDone
      ? await erase(sought, { db, services, erasedName, actor, now: clock.now() })
      : await eraseable(db, sought, clock.now());
    return { ok: true, json: { ok: true, erased: isDone, ...counts }, text: textOf(counts, isDone) };
  });

function textOf({ orders, later, others }: Erasure, isDone: boolean): string {
  const table = tableText(
    ["TABLE", "ROWS"],
    [["orders", orders] as const, ...Object.entries(others)].map(([name, rows]) => [name, String(rows)]),
  );
  const follow =
    later === 0
      ? ""
      : `\n${later} more orders still need the number: they are open, have an open case, or are to be compared with their vendor's books. Their data ${isDone ? "follows" : "would follow"} within an hour after that.`;
  const kept = "Amounts and states are kept; opt-outs stay in effect under a keyed hash.";
  const erased = later === 0 ? "Erased." : `Erased, except what ${later} orders still need.`;
  return `${table}${follow}\n${isDone ? `${erased} ${kept}` : `Nothing was erased. To erase, repeat with --yes. ${kept}`}`;
}

function soughtBy({ phone, account, mode }: PersonOptions): Sought {
  // Test numbers are numbers to whoever asks about them.
  const number = parseMsisdn(phone, "test");
  if (!number.ok) throw new CannotRun(`--phone: ${number.error.detail}`);
  return { phone: number.value, accountId: account, mode };
}

const sumOf = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0);
