import { callByName } from "../db/call-by-name.ts";
import type { Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";

export interface WalletBalance {
  /** What has been paid in and not been taken. */
  readonly balanceKobo: Kobo;
  /** Held for orders that are not decided. */
  readonly heldKobo: Kobo;
  readonly availableKobo: Kobo;
}

export async function readWallet(db: Db, accountId: Uuid, mode: Mode): Promise<WalletBalance | undefined> {
  const { rows } = await db.query<{ balance: bigint; held: bigint }>(
    {
      name: "read_wallet",
      text: `select credits_posted - debits_posted as balance, debits_pending as held
               from ledger_accounts where account_id = $1 and mode = $2 and kind = 'wallet'`,
    },
    [accountId, mode],
  );
  const row = rows[0];
  return (
    row && {
      balanceKobo: kobo(row.balance),
      heldKobo: kobo(row.held),
      availableKobo: kobo(row.balance - row.held),
    }
  );
}

export async function openLedgerAccounts(db: Db, accountId: Uuid, mode: Mode, kinds: readonly string[]): Promise<void> {
  await db.query("select open_ledger_accounts($1, $2, $3)", [accountId, mode, kinds]);
}

export interface Transfer {
  readonly accountId: Uuid;
  readonly id: Uuid;
  readonly mode: Mode;
  readonly kind: "credit" | "debit" | "fee";
  readonly debit: string;
  readonly credit: string;
  readonly amountKobo: Kobo;
  readonly reason: string;
  readonly at: Date;
}

/** Makes whoever changes the same wallet wait until the transaction ends. */
export async function lockWallet(db: Db, accountId: Uuid, mode: Mode): Promise<void> {
  await db.query("select lock_wallets(array[$1::uuid], array[$2::text])", [accountId, mode]);
}

/** What a top-up's transfer says, so that the proof can tell it from credits by hand. */
export const topUpReason = (id: Uuid): string => `top-up ${encodeId("trf", id)}`;

const POST_CALL = callByName<Transfer>("post_transfer", {
  p_account: ({ accountId }) => accountId,
  p_id: ({ id }) => id,
  p_mode: ({ mode }) => mode,
  p_kind: ({ kind }) => kind,
  p_debit: ({ debit }) => debit,
  p_credit: ({ credit }) => credit,
  p_amount: ({ amountKobo }) => amountKobo,
  p_reason: ({ reason }) => reason,
  p_at: ({ at }) => at,
});

/** False when a transfer with that id exists already: it happens once. */
export async function postTransfer(db: Db, transfer: Transfer): Promise<boolean> {
  const { rows } = await db.query<{ posted: boolean }>(
    `select ${POST_CALL.text} as posted`,
    POST_CALL.values(transfer),
  );
  return rows[0]!.posted;
}

/** What moved on an order's account: its hold, and what came after. */
export interface OrderTransfer {
  readonly kind: string;
  readonly state: "pending" | "posted" | "voided";
  readonly amountKobo: Kobo;
  /** Less than the amount when the rest went back; null unless posted. */
  readonly postedKobo: Kobo | null;
}

export async function readTransfers(db: Db, accountId: Uuid, orderId: Uuid): Promise<readonly OrderTransfer[]> {
  const { rows } = await db.query<{
    kind: string;
    state: OrderTransfer["state"];
    amount_kobo: bigint;
    posted_kobo: bigint | null;
  }>(
    `select kind, state, amount_kobo, posted_kobo from transfers
      where account_id = $1 and (id = $2 or order_id = $2 and kind <> 'hold') order by created_at, id`,
    [accountId, orderId],
  );
  return rows.map(({ kind, state, amount_kobo, posted_kobo }) => ({
    kind,
    state,
    amountKobo: kobo(amount_kobo),
    postedKobo: posted_kobo === null ? null : kobo(posted_kobo),
  }));
}

/** Where an order's hold must be in a state, from the services' step tables. */
export interface HoldRule {
  readonly service: string;
  readonly state: string;
  readonly hold: "pending" | "settled";
}

export interface Finding {
  readonly rule: string;
  readonly accountId: Uuid;
  readonly detail: string;
}

/** Each rule as a query that returns what breaks it. One snapshot for all, so that running orders do not look like faults. */
const RULES: readonly {
  readonly rule: string;
  readonly sql: string;
  readonly usesHolds?: boolean;
  readonly table?: string;
}[] = [
  {
    rule: "debits equal credits",
    sql: `select account_id, mode || ': posted ' || sum(debits_posted) || ' against ' || sum(credits_posted)
                 || ', pending ' || sum(debits_pending) || ' against ' || sum(credits_pending) as detail
            from ledger_accounts group by account_id, mode
          having sum(debits_posted) <> sum(credits_posted) or sum(debits_pending) <> sum(credits_pending)`,
  },
  {
    rule: "each balance is the sum of its transfers",
    sql: `with sides as (
            select account_id, mode, debit_kind as kind, state, amount_kobo, posted_kobo, true as debit from transfers
            union all select account_id, mode, credit_kind, state, amount_kobo, posted_kobo, false from transfers),
          sums as (
            select account_id, mode, kind,
                   coalesce(sum(amount_kobo) filter (where debit and state = 'pending'), 0) as dp,
                   coalesce(sum(posted_kobo) filter (where debit and state = 'posted'), 0) as d,
                   coalesce(sum(amount_kobo) filter (where not debit and state = 'pending'), 0) as cp,
                   coalesce(sum(posted_kobo) filter (where not debit and state = 'posted'), 0) as c
              from sides group by 1, 2, 3)
          select coalesce(l.account_id, s.account_id) as account_id, coalesce(l.mode, s.mode) || ' ' || coalesce(l.kind, s.kind) || ' differs' as detail
            from ledger_accounts l full join sums s on s.account_id = l.account_id and s.mode = l.mode and s.kind = l.kind
           where (coalesce(l.debits_pending, 0), coalesce(l.debits_posted, 0), coalesce(l.credits_pending, 0), coalesce(l.credits_posted, 0))
              is distinct from (coalesce(s.dp, 0)::bigint, coalesce(s.d, 0)::bigint, coalesce(s.cp, 0)::bigint, coalesce(s.c, 0)::bigint)`,
  },
  {
    rule: "no wallet is overdrawn",
    sql: `select account_id, mode || ' wallet' as detail from ledger_accounts
           where kind = 'wallet' and credits_posted - debits_posted - debits_pending < 0`,
  },
  {
    rule: "each wallet's statement ends at its balance",
    sql: `select l.account_id, l.mode || ' wallet: ' || l.credits_posted - l.debits_posted || ' and ' || l.debits_pending || ' held, its statement ends at '
                 || coalesce(c.balance_kobo, 0) || ' and ' || coalesce(c.held_kobo, 0) as detail
            from ledger_accounts l
            left join lateral (select balance_kobo, held_kobo from wallet_commits c
                                where c.account_id = l.account_id and c.mode = l.mode order by position desc limit 1) c on true
           where l.kind = 'wallet'
             and (l.credits_posted - l.debits_posted, l.debits_pending) <> (coalesce(c.balance_kobo, 0), coalesce(c.held_kobo, 0))`,
  },
  {
    rule: "each movement of a wallet stands in its statement once, and the lines add up",
    sql: `with movements as (
            select account_id, mode, id, false as decides, opened_in as batch,
                   case when kind = 'hold' then 0 when debit_kind = 'wallet' then -amount_kobo else amount_kobo end as balance,
                   case when kind = 'hold' then amount_kobo else 0 end as held
              from transfers where 'wallet' in (debit_kind, credit_kind)
            union all select account_id, mode, id, true, decided_in, -coalesce(posted_kobo, 0), -amount_kobo
              from transfers where kind = 'hold' and state <> 'pending'),
          lines as (
            select account_id, mode, position, batch, unnest(opened) as id, false as decides from wallet_commits
            union all select account_id, mode, position, batch, unnest(decided), true from wallet_commits),
          stated as (
            select coalesce(l.account_id, m.account_id) as account_id, coalesce(l.mode, m.mode) as mode, l.position, coalesce(l.id, m.id) as id,
                   m.balance, m.held, l.batch = m.batch as agrees
              from lines l full join movements m on m.account_id = l.account_id and m.mode = l.mode and m.id = l.id and m.decides = l.decides),
          sums as (select account_id, mode, position, sum(balance) as balance, sum(held) as held from stated group by 1, 2, 3),
          steps as (
            select account_id, mode, position, balance_kobo - lag(balance_kobo, 1, 0) over so_far as balance,
                   held_kobo - lag(held_kobo, 1, 0) over so_far as held
              from wallet_commits window so_far as (partition by account_id, mode order by position))
          select account_id, mode || ' ' || id || ' is not where its transfer says' as detail from stated where agrees is not true
          union all
          select account_id, mode || ' ' || id || ' is there twice' from lines group by account_id, mode, id, decides having count(*) > 1
          union all
          select account_id, mode || ' line ' || position || ' does not add up' from steps t left join sums s using (account_id, mode, position)
           where (t.balance, t.held) is distinct from (s.balance, s.held)`,
  },
  {
    rule: "each successful top-up has its transfer, and each transfer of a top-up its top-up",
    sql: `select coalesce(t.account_id, x.account_id) as account_id, coalesce(t.id, x.id) || ' is ' || coalesce(t.state, 'no top-up')
                 || ' with ' || coalesce(t.paid_kobo, 0) || ', its transfer has ' || coalesce(x.amount_kobo, 0) as detail
            from topups t
            full join (select account_id, id, mode, amount_kobo from transfers
                        where kind = 'credit' and debit_kind = 'funding' and reason like 'top-up trf\\_%') x
                   on x.account_id = t.account_id and x.id = t.id
           where (coalesce(t.paid_kobo, 0), coalesce(t.mode, '')) is distinct from (coalesce(x.amount_kobo, 0), coalesce(x.mode, ''))
             and (x.id is not null or t.state = 'successful')`,
  },
  {
    rule: "an order's hold is open exactly while its money is undecided",
    usesHolds: true,
    sql: `select o.account_id, o.id || ' is ' || o.state || ', its hold ' || coalesce(t.state, 'is missing') as detail
            from orders o
            left join transfers t on t.account_id = o.account_id and t.id = o.id and t.kind = 'hold'
            left join unnest($1::text[], $2::text[], $3::text[]) r(service, state, hold) on r.service = o.service and r.state = o.state
           where o.price_kobo > 0
             and (r.hold is null or t.state is null or t.amount_kobo <> o.price_kobo or (r.hold = 'pending') <> (t.state = 'pending'))`,
  },
  {
    rule: "every hold has its order",
    sql: `select t.account_id, t.id::text as detail from transfers t
           where t.kind = 'hold' and not exists (select 1 from orders o where o.account_id = t.account_id and o.id = t.id)`,
  },
  {
    rule: "a group's open orders are counted right",
    sql: `select g.account_id, g.id || ' says ' || g.open as detail from order_groups g
            left join (select account_id, group_id, count(*) as open from orders
                        where group_id is not null and ended_at is null group by 1, 2) o on o.account_id = g.account_id and o.group_id = g.id
           where g.open <> coalesce(o.open, 0)`,
  },
  {
    rule: "an order's events are numbered without gaps",
    sql: `select o.account_id, o.id::text as detail from orders o
            left join (select account_id, order_id, count(*) as events, max(sequence) as newest
                         from events where type is not null group by 1, 2) e on e.account_id = o.account_id and e.order_id = o.id
           where coalesce(e.events, 0) <> o.event_sequence or coalesce(e.newest, 0) <> o.event_sequence`,
  },
  {
    rule: "usage is the sum of the orders",
    table: "usage_days",
    sql: `with kept as (
            select account_id, mode, day, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo from usage_days
            union all
            select account_id, mode, (hour at time zone 'Africa/Lagos')::date, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo
              from usage_changes),
          summed as (
            select account_id, mode, day, service, state, sum(orders) as orders, sum(price_kobo) as price, sum(held_kobo) as held,
                   sum(charged_kobo) as charged, sum(refunded_kobo) as refunded
              from kept group by 1, 2, 3, 4, 5
            having (sum(orders), sum(price_kobo), sum(held_kobo), sum(charged_kobo), sum(refunded_kobo)) <> (0, 0, 0, 0, 0)),
          plain as (
            select o.account_id, o.mode, (o.created_at at time zone 'Africa/Lagos')::date as day, o.service, o.state,
                   count(*) as orders, sum(o.price_kobo) as price, sum(case when t.state = 'pending' then t.amount_kobo else 0 end) as held,
                   sum(coalesce(t.posted_kobo, 0) - coalesce(r.amount_kobo, 0)) as charged, sum(coalesce(r.amount_kobo, 0)) as refunded
              from orders o
              left join transfers t on t.account_id = o.account_id and t.id = o.id
              left join transfers r on r.account_id = o.account_id and r.order_id = o.id and r.kind = 'refund'
             group by 1, 2, 3, 4, 5)
          select account_id, mode || ' ' || service || ' ' || state || ' on ' || day || ': kept ' ||
                 jsonb_build_array(s.orders, s.price, s.held, s.charged, s.refunded) || ', summed ' ||
                 jsonb_build_array(p.orders, p.price, p.held, p.charged, p.refunded) || ' (sum_usage_again mends it)' as detail
            from summed s full join plain p using (account_id, mode, day, service, state)
           where (s.orders, s.price, s.held, s.charged, s.refunded) is distinct from (p.orders, p.price, p.held, p.charged, p.refunded)
             and account_id not in (select account_id from usage_fills)`,
  },
  {
    rule: "fees go from live wallets to sales:fees, and nothing else goes there",
    sql: `select account_id, id || ' is a ' || kind || ' from ' || debit_kind || ' to ' || credit_kind || ' in ' || mode as detail
            from transfers
           where (kind = 'fee' or 'sales:fees' in (debit_kind, credit_kind))
             and not (kind = 'fee' and debit_kind = 'wallet' and credit_kind = 'sales:fees' and mode = 'live' and state = 'posted')`,
  },
  {
    rule: "no month's fee is paid twice",
    sql: `select t.account_id, 'paid ' || t.paid || ' kobo of fees that come to ' || coalesce(f.fees, 0) as detail
            from (select account_id, sum(posted_kobo) as paid from transfers where kind = 'fee' group by 1) t
            left join (select account_id, sum(fee_kobo) as fees from subscription_fees group by 1) f using (account_id)
           where t.paid > coalesce(f.fees, 0)`,
  },
];

const FINDINGS_MAX = 50;

/** A database that is not upgraded yet lacks what a rule may be about. */
async function isThere(db: Db, table: string): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>("select to_regclass($1) is not null as there", [table]);
  return rows[0]!.there;
}

export interface Proof {
  readonly rules: readonly { readonly rule: string; readonly ok: boolean }[];
  readonly findings: readonly Finding[];
}

/** Runs the whole proof inside the transaction it is given (repeatable read: one snapshot). */
export async function proveLedger(db: Db, holds: readonly HoldRule[]): Promise<Proof> {
  const rules: { rule: string; ok: boolean }[] = [];
  const findings: Finding[] = [];
  const holdArrays = [
    holds.map((hold) => hold.service),
    holds.map((hold) => hold.state),
    holds.map((hold) => hold.hold),
  ];
  for (const { rule, sql, usesHolds, table } of RULES) {
    if (table !== undefined && !(await isThere(db, table))) continue;
    const { rows } = await db.query<{ account_id: Uuid; detail: string }>(
      `${sql} limit ${FINDINGS_MAX}`,
      usesHolds ? holdArrays : [],
    );
    rules.push({ rule, ok: rows.length === 0 });
    for (const row of rows) findings.push({ rule, accountId: row.account_id, detail: row.detail });
  }
  return { rules, findings };
}
