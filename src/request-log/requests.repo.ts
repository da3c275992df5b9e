import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Entry } from "./entry.ts";

/** A request in a list. */
export interface ListedRequest {
  readonly id: Uuid;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly durationMs: number;
  readonly about: string | null;
  readonly key: { readonly id: Uuid; readonly start: string | null; readonly last4: string | null } | null;
  readonly person: { readonly id: Uuid; readonly name: string | null } | null;
}

/** The same with what was said. */
export interface KeptRequest extends ListedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: StoredBody;
  readonly answer: StoredBody;
}

interface StoredBody {
  readonly text: string | null;
  readonly isCut: boolean;
}

export interface RequestFilter {
  readonly accountId: Uuid;
  /** Undefined: both, for one request by its id. */
  readonly mode: Mode | undefined;
  /** Older ones are no longer shown. */
  readonly since: Date;
  readonly id?: Uuid;
  /** The public id of an order, and what it is the id of. */
  readonly order?: { readonly text: string; readonly id: Uuid };
  readonly status?: { readonly from: number; readonly to: number };
  readonly code?: string;
  readonly method?: string;
  /** Whose: of keys, of people, or all but what people only read: their pages do so on their own. Default: all. */
  readonly by?: "programs" | "people" | "doers";
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  /** The oldest request to look at: the end of a stretch. */
  readonly downTo?: Uuid;
  /** The last of the page before. */
  readonly beforeId?: Uuid;
  readonly limit: number;
}

/**
 * Writes a batch in one statement. Its commit does not wait for the disk: a server that fails loses the log's last moments, and no
 * other transaction waits behind this one's write.
 */
export async function insertRequests(db: Db, entries: readonly Entry[]): Promise<void> {
  const column = <Value>(of: (entry: Entry) => Value) => entries.map(of);
  await db.query(INSERT, [
    column(({ accountId }) => accountId),
    column(({ mode }) => mode),
    column(({ id }) => id),
    column(({ method }) => method),
    column(({ path }) => path),
    column(({ status }) => status),
    column(({ code }) => code),
    column(({ durationMs }) => Math.min(Math.round(durationMs * 1_000), INT_MAX)),
    column(({ about }) => about),
    column(({ keyId }) => keyId),
    column(({ personId }) => personId),
    column(({ headers }) => headers),
    column(({ request }) => request?.text ?? null),
    column(({ answer }) => answer?.text ?? null),
    column(({ request }) => request?.isCut ?? false),
    column(({ answer }) => answer?.isCut ?? false),
  ]);
}

const INT_MAX = 2_147_483_647;
const INSERT = {
  name: "keep_requests",
  text: `insert into request_log (account_id, mode, id, method, path, status, code, duration_us, about, key_id, person_id, headers,
                                  request_body, answer_body, request_cut, answer_cut)
         select e.*
           from (select set_config('synchronous_commit', 'off', true)) quick,
                unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::int[], $9::text[],
                       $10::uuid[], $11::uuid[], $12::text[], $13::text[], $14::text[], $15::boolean[], $16::boolean[]) e
         on conflict do nothing`,
};

/** Makes the days ahead and drops those that are over. */
export async function keepDays(db: Db, now: Date): Promise<void> {
  await db.query("select keep_request_log($1)", [now]);
}

const BY = {
  programs: " and person_id is null",
  people: " and person_id is not null",
  doers: " and (person_id is null or method not in ('GET', 'HEAD') or status >= 400)",
} as const;
const LISTED = "id, mode, method, path, status, code, duration_us, about, key_id, person_id";

/** Newest first. */
export async function listRequests(db: Db, filter: RequestFilter): Promise<readonly ListedRequest[]> {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const is = (condition: string, one: unknown) =>
    one === undefined ? "" : ` and ${condition.replace("?", value(one))}`;
  const account = value(filter.accountId);
  const { order, status } = filter;
  const conditions = [
    filter.mode === undefined ? is("mode = any(?)", MODES) : is("mode = ?", filter.mode),
    is("id >= uuidv7_floor(?)", filter.since),
    is("id >= uuidv7_floor(?)", filter.createdAfter),
    is("id < uuidv7_floor(?)", filter.createdBefore),
    is("id < ?", filter.beforeId),
    is("id >= ?", filter.downTo),
    is("id = ?", filter.id),
    is("status >= ?", status?.from),
    is("status <= ?", status?.to),
    is("code = ?", filter.code),
    is("method = ?", filter.method),
    filter.by ? BY[filter.by] : "",
  ].join("");
  const wanted = (also: string) =>
    `(select ${LISTED} from request_log where account_id = ${account}${conditions}${also}
       order by id desc limit ${value(filter.limit)})`;
  const found = order
    ? // What named the order, and what made it: a message of a bulk was made by the bulk's request.
      `${wanted(is("about = ?", order.text))} union
       ${wanted(is(`id = (select o.request_id from orders o where o.account_id = ${account} and o.id = ?)`, order.id))}`
    : wanted("");
  const { rows } = await db.query<ListedRow>(
    `select r.*, k.start, k.last4, p.name as person_name
       from (select ${LISTED} from (${found}) one order by id desc limit ${value(filter.limit)}) r
       left join api_keys k on k.id = r.key_id
       left join auth_people p on p.id = r.person_id
      order by r.id desc`,
    values,
  );
  return rows.map(listedOf);
}

/** Requests of an account that are looked at for one page of what no index has. */
export const STRETCH_REQUESTS = 5_000;

/** The end of the stretch that a page of what no index has is taken from. Undefined: it ends with the oldest that is kept. */
export async function endOfStretch(db: Db, filter: Omit<RequestFilter, "limit">): Promise<Uuid | undefined> {
  const { accountId, mode, since, createdAfter, createdBefore, beforeId } = filter;
  const { rows } = await db.query<{ id: Uuid }>(
    {
      name: "end_of_request_stretch",
      text: `select id from request_log
              where account_id = $1 and mode = $2 and id < coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
                and id < coalesce(uuidv7_floor($4), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
                and id >= greatest(uuidv7_floor($5), uuidv7_floor($6))
              order by id desc offset $7 limit 1`,
    },
    [accountId, mode, beforeId ?? null, createdBefore ?? null, since, createdAfter ?? null, STRETCH_REQUESTS - 1],
  );
  return rows[0]?.id;
}

export async function findRequest(
  db: Db,
  { accountId, id, since }: Pick<RequestFilter, "accountId" | "since"> & { readonly id: Uuid },
): Promise<KeptRequest | undefined> {
  const { rows } = await db.query<FullRow>(
    {
      name: "find_request",
      text: `select r.*, k.start, k.last4, p.name as person_name
               from request_log r
               left join api_keys k on k.id = r.key_id
               left join auth_people p on p.id = r.person_id
              where r.account_id = $1 and r.mode = any($2) and r.id = $3 and r.id >= uuidv7_floor($4)`,
    },
    [accountId, MODES, id, since],
  );
  const row = rows[0];
  return (
    row && {
      ...listedOf(row),
      headers: JSON.parse(row.headers) as Record<string, string>,
      request: { text: row.request_body, isCut: row.request_cut },
      answer: { text: row.answer_body, isCut: row.answer_cut },
    }
  );
}

const MODES: readonly Mode[] = ["live", "test"];

interface ListedRow {
  id: Uuid;
  mode: Mode;
  method: string;
  path: string;
  status: number;
  code: string | null;
  duration_us: number;
  about: string | null;
  key_id: Uuid | null;
  person_id: Uuid | null;
  start: string | null;
  last4: string | null;
  person_name: string | null;
}

interface FullRow extends ListedRow {
  headers: string;
  request_body: string | null;
  answer_body: string | null;
  request_cut: boolean;
  answer_cut: boolean;
}

const listedOf = (row: ListedRow): ListedRequest => ({
  id: row.id,
  mode: row.mode,
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  durationMs: row.duration_us / 1_000,
  about: row.about,
  key: row.key_id && { id: row.key_id, start: row.start, last4: row.last4 },
  person: row.person_id && { id: row.person_id, name: row.person_name },
});
