import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Product } from "./products.ts";
import type { ScenarioName, VendState } from "./scenarios.ts";

/** From `at` (ms since 1970) on the vend is in this state. */
export interface Stage {
  readonly at: number;
  readonly state: VendState;
}

/** Something that a vendor took, with all that will become of it. */
export interface Vend {
  readonly id: number;
  readonly vendor: string;
  /** The caller's own reference. */
  readonly reference: string;
  /** A phone (with 234, digits only), or the number of a meter or the like. */
  readonly recipient: string;
  readonly product: Product;
  readonly amountKobo: bigint;
  /** The vendor's code of a data plan. */
  readonly plan: string | null;
  readonly madeAt: number;
  readonly scenario: ScenarioName;
  readonly stages: readonly Stage[];
  /** The vendor's own notes. JSON. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly id: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The body as it came. */
  readonly body: string;
  readonly status: number;
  readonly wire: string | null;
}

export interface IssuedToken {
  readonly value: string;
  readonly meter: string;
  readonly kind: "kct1" | "kct2" | "credit" | "bonus";
  readonly unitsTenths: number;
  readonly vendId: number;
  /** From when the vendor tells it. */
  readonly at: number;
  readonly enteredAt: number | null;
}

export interface QueuedScenario {
  readonly id: number;
  readonly scenario: ScenarioName;
  readonly afterMs: number | null;
}

export interface OwedCallback {
  readonly id: number;
  readonly vendor: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tries: number;
}

const SCHEMA = `
  create table if not exists vends (
    id integer primary key, vendor text not null, reference text not null, recipient text not null, product text not null,
    amount_kobo integer not null, plan text, made_at integer not null, scenario text not null, stages text not null,
    details text not null);
  create index if not exists vends_by_reference on vends (vendor, reference);
  create index if not exists vends_by_recipient on vends (recipient);
  create table if not exists calls (
    id integer primary key, vendor text not null, at integer not null, method text not null, path text not null,
    body text not null, status integer not null, wire text);
  create table if not exists scenarios (
    id integer primary key, vendor text not null, scenario text not null, call text not null, recipient text,
    times integer not null, after_ms integer);
  create table if not exists meters (number text primary key, changes text not null);
  create table if not exists tokens (
    value text primary key, meter text not null, kind text not null, units_tenths integer not null, serial integer not null,
    vend_id integer not null, at integer not null, entered_at integer);
  create index if not exists tokens_by_meter on tokens (meter, serial);
  create table if not exists callbacks (
    id integer primary key, vendor text not null, due_at integer not null, body text not null, headers text not null,
    tries integer not null default 0, taken integer not null default 0); -- taken: or given up
  create index if not exists callbacks_due on callbacks (due_at) where taken = 0;
  create table if not exists kept (vendor text not null, key text not null, value text not null, primary key (vendor, key));
  create table if not exists files (vendor text not null, key text not null, bytes blob not null, primary key (vendor, key));
`;

/** Calls that are remembered: more than a test looks at, few enough for a disk. */
const CALLS_MAX = 200_000;
/** A callback is given up after the fifth try. */
const TRIES_MAX = 5;
const TABLES = ["vends", "calls", "scenarios", "meters", "tokens", "callbacks", "kept", "files"];

/** Only its owner may read it: other people's numbers and tokens stand in it. SQLite's files beside it are made likewise. */
function makeOwn(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

/**
 * The simulators' memory. Each transaction is with the kernel when it is committed, so it outlives a SIGKILL of the process;
 * it is not synced to the disk, because a power cut is not what is simulated here.
 */
export class VendorStore {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(dataDir: string) {
    mkdirSync(dataDir, { recursive: true });
    const path = join(dataDir, "vendors.sqlite");
    makeOwn(path);
    this.#db = new DatabaseSync(path);
    this.#db.exec(`pragma journal_mode = wal; pragma synchronous = off; pragma busy_timeout = 5000; ${SCHEMA}`);
  }

  close(): void {
    this.#db.close();
  }

  /** All or nothing; `work` does not wait for anything. */
  transaction<T>(work: () => T): T {
    this.#db.exec("begin immediate");
    try {
      const result = work();
      this.#db.exec("commit");
      return result;
    } catch (error) {
      this.#db.exec("rollback");
      throw error;
    }
  }

  reset(): void {
    for (const table of TABLES) this.#db.exec(`delete from ${table}`);
  }

  addVend(vend: Omit<Vend, "id">): number {
    const { lastInsertRowid } = this.#run(
      "insert into vends (vendor, reference, recipient, product, amount_kobo, plan, made_at, scenario, stages, details) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      vend.vendor,
      vend.reference,
      vend.recipient,
      vend.product,
      vend.amountKobo,
      vend.plan,
      vend.madeAt,
      vend.scenario,
      JSON.stringify(vend.stages),
      JSON.stringify(vend.details),
    );
    return Number(lastInsertRowid);
  }

  setDetails(vendId: number, details: Vend["details"]): void {
    this.#run("update vends set details = ? where id = ?", JSON.stringify(details), vendId);
  }

  /** The oldest first; null stands for any. */
  vends(vendor: string, reference: string | null, recipient: string | null): Vend[] {
    return this.#all(
      `select * from vends where vendor = ?1 and (?2 is null or reference = ?2)
        and (?3 is null or recipient = ?3) order by id`,
      vendor,
      reference,
      recipient,
    ).map(toVend);
  }

  vendsOfReference(vendor: string, reference: string): Vend[] {
    return this.#all("select * from vends where vendor = ? and reference = ? order by id", vendor, reference).map(
      toVend,
    );
  }

  vendsOfRecipient(recipient: string, since: number): Vend[] {
    return this.#all("select * from vends where recipient = ? and made_at >= ? order by id", recipient, since).map(
      toVend,
    );
  }

  addCall(vendor: string, call: Omit<Call, "id">): void {
    const { lastInsertRowid } = this.#run(
      "insert into calls (vendor, at, method, path, body, status, wire) values (?, ?, ?, ?, ?, ?, ?)",
      vendor,
      call.at,
      call.method,
      call.path,
      call.body,
      call.status,
      call.wire,
    );
    if (Number(lastInsertRowid) % 1_000 === 0)
      this.#run("delete from calls where id <= ?", Number(lastInsertRowid) - CALLS_MAX);
  }

  /** The oldest first, at most 10,000 after the call `after`. */
  calls(vendor: string, after: number): Call[] {
    return this.#all("select * from calls where vendor = ? and id > ? order by id limit 10000", vendor, after).map(
      ({ id, at, method, path, body, status, wire }) =>
        ({ id, at, method, path, body, status, wire }) as unknown as Call,
    );
  }

  queue(
    vendor: string,
    entry: { scenario: ScenarioName; call: string; recipient: string | null; times: number; afterMs: number | null },
  ): void {
    this.#run(
      "insert into scenarios (vendor, scenario, call, recipient, times, after_ms) values (?, ?, ?, ?, ?, ?)",
      vendor,
      entry.scenario,
      entry.call,
      entry.recipient,
      entry.times,
      entry.afterMs,
    );
  }

  /** The oldest that fits, counted down. */
  takeScenario(vendor: string, call: string, recipient: string): QueuedScenario | undefined {
    const row = this.#all(
      `select id, scenario, after_ms from scenarios
        where vendor = ? and call = ? and (recipient is null or recipient = ?) order by id limit 1`,
      vendor,
      call,
      recipient,
    )[0];
    if (!row) return undefined;
    this.#run("update scenarios set times = times - 1 where id = ?", row.id as number);
    this.#run("delete from scenarios where id = ? and times = 0", row.id as number);
    return {
      id: row.id as number,
      scenario: row.scenario as ScenarioName,
      afterMs: row.after_ms as number | null,
    };
  }

  /** What the vendor keeps under a key of its own; undefined when nothing. */
  kept(vendor: string, key: string): unknown {
    const row = this.#all("select value from kept where vendor = ? and key = ?", vendor, key)[0];
    return row && JSON.parse(row.value as string);
  }

  keep(vendor: string, key: string, value: unknown): void {
    this.#run(
      "insert into kept (vendor, key, value) values (?, ?, ?) on conflict (vendor, key) do update set value = excluded.value",
      vendor,
      key,
      JSON.stringify(value),
    );
  }

  /** All that is kept under keys that begin like this, by key. */
  keptUnder(vendor: string, prefix: string): unknown[] {
    const sql = "select value from kept where vendor = ? and key >= ? and key < ? order by key";
    return this.#all(sql, vendor, prefix, `${prefix}\uffff`).map(({ value }) => JSON.parse(value as string));
  }

  file(vendor: string, key: string): Uint8Array | undefined {
    return this.#all("select bytes from files where vendor = ? and key = ?", vendor, key)[0]?.bytes as
      | Uint8Array
      | undefined;
  }

  /** Null deletes it. */
  keepFile(vendor: string, key: string, bytes: Uint8Array | null): void {
    this.#run("delete from files where vendor = ? and key = ?", vendor, key);
    if (bytes) this.#run("insert into files (vendor, key, bytes) values (?, ?, ?)", vendor, key, bytes);
  }

  meterChanges(number: string): Readonly<Record<string, unknown>> {
    const row = this.#all("select changes from meters where number = ?", number)[0];
    return row ? (JSON.parse(row.changes as string) as Record<string, unknown>) : {};
  }

  changeMeter(number: string, changes: Readonly<Record<string, unknown>>): void {
    this.#run(
      "insert into meters (number, changes) values (?, ?) on conflict (number) do update set changes = excluded.changes",
      number,
      JSON.stringify({ ...this.meterChanges(number), ...changes }),
    );
  }

  /** The serial that a meter's newest token has; 0 when it has none. */
  lastSerial(meter: string): number {
    return Number(this.#all("select coalesce(max(serial), 0) as serial from tokens where meter = ?", meter)[0]?.serial);
  }

  addToken(token: IssuedToken & { readonly serial: number }): void {
    this.#run(
      "insert into tokens (value, meter, kind, units_tenths, serial, vend_id, at) values (?, ?, ?, ?, ?, ?, ?)",
      token.value,
      token.meter,
      token.kind,
      token.unitsTenths,
      token.serial,
      token.vendId,
      token.at,
    );
  }

  tokensOfMeter(meter: string): IssuedToken[] {
    return this.#all("select * from tokens where meter = ? order by serial", meter).map(toToken);
  }

  tokensOfVend(vendId: number): IssuedToken[] {
    return this.#all("select * from tokens where vend_id = ? order by serial", vendId).map(toToken);
  }

  token(value: string): IssuedToken | undefined {
    return this.#all("select * from tokens where value = ?", value).map(toToken)[0];
  }

  enterToken(value: string, at: number): void {
    this.#run("update tokens set entered_at = ? where value = ?", at, value);
  }

  oweCallback(vendor: string, dueAt: number, body: string, headers: Readonly<Record<string, string>>): void {
    this.#run(
      "insert into callbacks (vendor, due_at, body, headers) values (?, ?, ?, ?)",
      vendor,
      dueAt,
      body,
      JSON.stringify(headers),
    );
  }

  /** Of vendors that know where to call: what others owe must not stand in their way. */
  dueCallbacks(now: number): OwedCallback[] {
    return this.#all(
      `select * from callbacks where taken = 0 and due_at <= ?
        and vendor in (select vendor from kept where key = 'callback-url') order by due_at, id limit 100`,
      now,
    ).map(({ id, vendor, body, headers, tries }) => ({
      id: id as number,
      vendor: vendor as string,
      body: body as string,
      headers: JSON.parse(headers as string) as Record<string, string>,
      tries: tries as number,
    }));
  }

  callbackTried(id: number, taken: boolean, nextAt: number): void {
    this.#run(
      "update callbacks set tries = tries + 1, taken = (? or tries + 1 >= ?), due_at = ? where id = ?",
      taken ? 1 : 0,
      TRIES_MAX,
      nextAt,
      id,
    );
  }

  #run(sql: string, ...values: SQLInputValue[]) {
    return this.#prepared(sql).run(...values);
  }

  #all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#prepared(sql).all(...values);
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

const toVend = (row: Record<string, unknown>): Vend => ({
  id: row.id as number,
  vendor: row.vendor as string,
  reference: row.reference as string,
  recipient: row.recipient as string,
  product: row.product as Product,
  amountKobo: BigInt(row.amount_kobo as number),
  plan: row.plan as string | null,
  madeAt: row.made_at as number,
  scenario: row.scenario as ScenarioName,
  stages: JSON.parse(row.stages as string) as Stage[],
  details: JSON.parse(row.details as string) as Record<string, unknown>,
});

const toToken = (row: Record<string, unknown>): IssuedToken => ({
  value: row.value as string,
  meter: row.meter as string,
  kind: row.kind as IssuedToken["kind"],
  unitsTenths: row.units_tenths as number,
  vendId: row.vend_id as number,
  at: row.at as number,
  enteredAt: row.entered_at as number | null,
});
