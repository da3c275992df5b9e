import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Addresses } from "./addresses.repo.ts";

/** A row of the request log that speaks of a person. */
export interface PersonsRequest {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly id: Uuid;
}

/** Rows that are looked at by one statement: about a second's work. */
const SLICE_ROWS = 20_000;
/** Of a number: the digits that stand in it however it is written. */
const OWN_DIGITS = 10;

interface SliceRow {
  account_id: Uuid;
  mode: Mode;
  id: Uuid;
  is_about: boolean;
}

/**
 * Requests of the last days whose headers or bodies name one of the addresses, in whatever spelling. The log has no index of numbers, so all of it
 * is looked at, a slice at a time.
 */
export async function requestsAbout(db: Db, addresses: Addresses): Promise<readonly PersonsRequest[]> {
  const [accounts, modes, names] = [addresses.accounts, addresses.modes, addresses.addresses];
  const digits = names.map((name) => (/^\d{11,}$/.test(name) ? name.slice(-OWN_DIGITS) : null));
  const found: PersonsRequest[] = [];
  let last: SliceRow | undefined;
  do {
    const { rows }: { rows: SliceRow[] } = await db.query<SliceRow>(SLICE, [
      accounts,
      modes,
      names,
      digits,
      last?.account_id ?? NO_UUID,
      last?.mode ?? "",
      last?.id ?? NO_UUID,
      SLICE_ROWS,
    ]);
    for (const { account_id: accountId, mode, id, is_about: isAbout } of rows)
      if (isAbout) found.push({ accountId, mode, id });
    last = rows.at(-1);
  } while (last !== undefined);
  return found;
}

const NO_UUID = "00000000-0000-0000-0000-000000000000";

/** What was found in a slice, and its last row. */
const SLICE = `
  with slice as materialized (
    select account_id, mode, id, concat_ws(' ', headers, request_body, answer_body) as said from request_log
     where (account_id, mode, id) > ($5, $6, $7) order by account_id, mode, id limit $8),
  looked_at as (
    select s.account_id, s.mode, s.id, row_number() over (order by s.account_id, s.mode, s.id) = count(*) over () as is_last,
           exists (select from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) a(account_id, mode, name, digits)
                    where (a.account_id is null or a.account_id = s.account_id) and (a.mode is null or a.mode = s.mode)
                      and case when a.digits is null then strpos(s.said, a.name)
                               else strpos(regexp_replace(s.said, '[^0-9]', '', 'g'), a.digits) end > 0) as is_about
      from slice s)
  select account_id, mode, id, is_about from looked_at where is_about or is_last order by account_id, mode, id`;

const isOne = (requests: readonly PersonsRequest[]) => [
  requests.map(({ accountId }) => accountId),
  requests.map(({ mode }) => mode),
  requests.map(({ id }) => id),
];
const ARE_THESE =
  "exists (select from unnest($1::uuid[], $2::text[], $3::uuid[]) r(account_id, mode, id) where r.account_id = t.account_id and r.mode = t.mode and r.id = t.id)";

/** These rows as JSON. */
export async function readRequests(db: Db, requests: readonly PersonsRequest[]): Promise<readonly object[]> {
  const { rows } = await db.query<{ row: object }>(
    `select to_jsonb(t) as row from request_log t where ${ARE_THESE}`,
    isOne(requests),
  );
  return rows.map(({ row }) => row);
}

export async function deleteRequests(db: Db, requests: readonly PersonsRequest[]): Promise<void> {
  await db.query(`delete from request_log t where ${ARE_THESE}`, isOne(requests));
}
