import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { kobo, parseKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { OurAttempt } from "./compare.ts";

/** Attempts at vendors, by our records. */

interface AttemptRow {
  reference: string;
  account_id: Uuid;
  order_id: Uuid;
  is_current: boolean;
  standing: OurAttempt["state"];
  cost: string | null;
  amount_kobo: string | null;
}

/** What has become of an attempt `a` of order `o`; a loss is a delivery that came too late. */
const STANDING = `
  a.reference, a.account_id, a.order_id, a.attempt = o.attempt as is_current,
  case when a.attempt <> o.attempt then 'failed'
       when o.state in ('successful', 'token_pending') then 'delivered'
       when o.state = 'reversed' then 'reversed'
       when o.ended_at is null then 'undecided'
       else (select case when bool_or(t.kind = 'loss_undone') then 'reversed' when bool_or(t.kind = 'loss') then 'delivered' else 'failed' end
               from transfers t where t.account_id = o.account_id and t.order_id = o.id and t.kind <> 'hold') end as standing,
  o.facts->>'cost' as cost, coalesce(o.payload->>'amount_kobo', o.payload->'plan'->>'cost_kobo') as amount_kobo`;

const attemptFrom = (row: AttemptRow): OurAttempt => ({
  reference: row.reference,
  accountId: row.account_id,
  orderId: row.order_id,
  isCurrent: row.is_current,
  state: row.standing,
  costKobo: row.cost === null ? undefined : parseKobo(row.cost),
  amountKobo: row.amount_kobo === null ? undefined : kobo(row.amount_kobo),
});

/** The provider's existing attempts with these references. */
export async function findAttempts(
  db: Db,
  provider: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, OurAttempt>> {
  const { rows } = await db.query<AttemptRow>(
    `select ${STANDING} from attempts a join orders o on o.account_id = a.account_id and o.id = a.order_id
      where a.route = $1 and a.reference = any($2::text[])`,
    [provider, references],
  );
  return new Map(rows.map((row) => [row.reference, attemptFrom(row)]));
}

/** Attempts that began in the period, inclusive. */
export async function findAttemptsBetween(
  db: Db,
  provider: string,
  from: Date,
  to: Date,
): Promise<readonly OurAttempt[]> {
  const { rows } = await db.query<AttemptRow>(
    `select ${STANDING} from attempts a join orders o on o.account_id = a.account_id and o.id = a.order_id
      where a.route = $1 and a.begun_at between $2 and $3 order by a.begun_at`,
    [provider, from, to],
  );
  return rows.map(attemptFrom);
}

/** An attempt to query at its vendor. */
export interface AttemptToAsk extends OurAttempt {
  readonly service: string;
  readonly mode: Mode;
  readonly attempt: number;
  readonly recipient: string;
  readonly payload: unknown;
}

/**
 * Takes the oldest attempt of the period that has ended and was not compared yet, unless a node asked about it a short while
 * ago: it may be at it, or the vendor could not be asked.
 */
export async function takeAttemptToAsk(
  db: Db,
  options: {
    readonly provider: string;
    readonly from: Date;
    readonly to: Date;
    readonly now: Date;
    readonly askedBefore: Date;
  },
): Promise<AttemptToAsk | undefined> {
  const { rows } = await db.query<
    AttemptRow & { service: string; mode: Mode; attempt: number; recipient: string; payload: unknown }
  >(
    {
      name: "take_attempt_to_ask",
      text: `with taken as (
               update attempts a set asked_at = $4
                 from (select a.route, a.reference from attempts a join orders o on o.account_id = a.account_id and o.id = a.order_id
                        where a.route = $1 and a.reconciled_at is null and a.begun_at >= $2 and a.begun_at < $3
                          and (a.asked_at is null or a.asked_at < $5) and (o.ended_at is not null or a.attempt <> o.attempt)
                        order by a.begun_at limit 1 for update of a skip locked) due
                where a.route = due.route and a.reference = due.reference returning a.*)
             select ${STANDING}, o.service, o.mode, a.attempt, o.recipient, o.payload
               from taken a join orders o on o.account_id = a.account_id and o.id = a.order_id`,
    },
    [options.provider, options.from, options.to, options.now, options.askedBefore],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { service, mode, attempt, recipient, payload } = row;
  return { ...attemptFrom(row), service, mode, attempt, recipient, payload };
}

export async function markReconciled(db: Db, provider: string, reference: string, at: Date): Promise<void> {
  await db.query("update attempts set reconciled_at = $3 where route = $1 and reference = $2", [
    provider,
    reference,
    at,
  ]);
}

/** How many attempts of the period were compared, and how many there are. */
export async function countReconciled(
  db: Db,
  from: Date,
  to: Date,
): Promise<ReadonlyMap<string, { readonly compared: number; readonly attempts: number }>> {
  const { rows } = await db.query<{ route: string; compared: bigint; attempts: bigint }>(
    `select route, count(reconciled_at) as compared, count(*) as attempts from attempts
      where begun_at >= $1 and begun_at < $2 group by route`,
    [from, to],
  );
  return new Map(
    rows.map(({ route, compared, attempts }) => [route, { compared: Number(compared), attempts: Number(attempts) }]),
  );
}
