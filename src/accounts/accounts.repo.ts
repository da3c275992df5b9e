import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";

export async function insertAccount(db: Db, account: { id: Uuid; name: string }): Promise<void> {
  await db.query("insert into accounts (id, name) values ($1, $2) on conflict do nothing", [account.id, account.name]);
}

export async function suspendedAccounts(db: Db, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  const { rows } = await db.query<{ id: Uuid }>(
    {
      name: "suspended_accounts",
      text: "select id from accounts where id = any($1::uuid[]) and suspended_at is not null",
    },
    [ids],
  );
  return new Set(rows.map((row) => row.id));
}

/** An account as shown to people. */
export interface StoredAccount {
  readonly id: Uuid;
  readonly name: string;
  readonly suspendedAt: Date | null;
  /** For SMS without a sender; null: the configuration's. */
  readonly defaultSender: string | null;
  /** Threshold of the low-balance event; null: no event. */
  readonly lowBalanceKobo: Kobo | null;
  readonly createdAt: Date;
}

interface AccountRow {
  id: Uuid;
  name: string;
  suspended_at: Date | null;
  default_sender: string | null;
  low_balance_kobo: bigint | null;
  created_at: Date;
}

const accountOf = (row: AccountRow): StoredAccount => ({
  id: row.id,
  name: row.name,
  suspendedAt: row.suspended_at,
  defaultSender: row.default_sender,
  lowBalanceKobo: row.low_balance_kobo === null ? null : kobo(row.low_balance_kobo),
  createdAt: row.created_at,
});

const COLUMNS = "id, name, suspended_at, default_sender, low_balance_kobo, created_at";

export async function findAccount(db: Db, id: Uuid): Promise<StoredAccount | undefined> {
  const { rows } = await db.query<AccountRow>(`select ${COLUMNS} from accounts where id = $1`, [id]);
  return rows[0] && accountOf(rows[0]);
}

/** Locks the account's row until the transaction ends. */
export async function lockAccount(db: Db, id: Uuid): Promise<StoredAccount | undefined> {
  const { rows } = await db.query<AccountRow>(`select ${COLUMNS} from accounts where id = $1 for update`, [id]);
  return rows[0] && accountOf(rows[0]);
}

/** All accounts, newest first. */
export async function listAccounts(db: Db): Promise<readonly StoredAccount[]> {
  const { rows } = await db.query<AccountRow>(`select ${COLUMNS} from accounts order by created_at desc, id desc`);
  return rows.map(accountOf);
}

/** Updates an account's changeable fields. */
export async function updateAccount(db: Db, account: StoredAccount): Promise<void> {
  await db.query(
    "update accounts set name = $2, suspended_at = $3, default_sender = $4, low_balance_kobo = $5 where id = $1",
    [account.id, account.name, account.suspendedAt, account.defaultSender, account.lowBalanceKobo],
  );
}
