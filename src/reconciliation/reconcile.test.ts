import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { HOUR_MS } from "../kernel/duration.ts";
import { encodeId } from "../kernel/ids.ts";
import { type Kobo, kobo, koboToNaira } from "../kernel/kobo.ts";
import type { Order } from "../orders/order.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { SeenVend } from "../simulators/vendors/client.ts";
import { makeCli } from "../testing/cli.ts";
import { SILENT } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { clockAhead, listeningLog, startPurchases, type VendorName } from "../testing/purchases-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeNightlyComparison } from "./compare-nightly.ts";
import { makeWatchFloats } from "./watch-floats.ts";

const rig = await startPurchases();
const { db, database, vendors } = rig;
const data = await makeDataDir();
after(() => data.remove());
const afara = makeCli({ AFARA_DATA_DIR: data.dir, DATABASE_URL: database.url, USER: "ada" });

/** How each vendor's export looks: its headings, and a line of it. */
const EXPORTS = {
  vtpass: [
    "requestId,transactionId,product,amount,total_amount,status,transaction_date",
    ({ reference, details, amountKobo, state, madeAt }: SeenVend) => [
      reference,
      `${details.transactionId}`,
      "MTN Airtime VTU",
      naira(amountKobo),
      naira(String(BigInt(amountKobo) - BigInt(String(details.commissionKobo)))),
      state,
      new Date(madeAt).toISOString(),
    ],
  ],
  reloadly: [
    "Transaction ID,Custom Identifier,Status,Requested Amount,Cost,Transaction Date",
    ({ reference, details, amountKobo, state, madeAt }: SeenVend) => [
      `${details.transactionId}`,
      reference,
      { delivered: "SUCCESSFUL", pending: "PROCESSING", reversed: "REFUNDED" }[String(state)] ?? "FAILED",
      naira(amountKobo),
      naira(String(details.costKobo)),
      new Date(madeAt).toISOString(),
    ],
  ],
  buypower: [
    "id,orderId,vendAmount,totalAmountPaid,status,vendTime",
    ({ id, reference, amountKobo, state, madeAt }: SeenVend) => [
      `${5_000_000 + id}`,
      reference,
      naira(amountKobo),
      naira(amountKobo),
      state === "delivered" ? "successful" : state,
      new Date(madeAt).toISOString(),
    ],
  ],
} as const;
const naira = (digits: string): string => koboToNaira(kobo(digits) as Kobo);

let files = 0;
/** What the vendor's dashboard would export, changed as told. */
async function statementOf(vendor: VendorName, change: (lines: string[][]) => string[][] = (lines) => lines) {
  const [heading, lineOf] = EXPORTS[vendor];
  const lines = (await vendors.vends(vendor)).map((vend) => [...lineOf(vend)]);
  const path = join(data.dir, `${vendor}-${++files}.csv`);
  await writeFile(path, [heading, ...change(lines).map((line) => line.join(","))].join("\n"));
  return path;
}

interface Report {
  readonly ok: boolean;
  readonly asked_again: number;
  readonly references: number;
  readonly findings: readonly {
    readonly found: string;
    readonly reference: string;
    readonly purchase: string | null;
    readonly ours: string;
    readonly theirs: string;
    readonly case: string;
    readonly case_status: string;
  }[];
}
async function reconcile(vendor: VendorName, path: string, ...more: string[]) {
  const run = await afara(["reconcile", "--provider", `${vendor}-simulator`, "--statement", path, "--json", ...more]);
  return { code: run.code, err: run.err, report: run.out ? run.json<Report>() : undefined };
}
const foundFor = (report: Report | undefined, order: Order): string[] =>
  (report?.findings ?? [])
    .filter(({ purchase }) => purchase === encodeId("pur", order.id))
    .map(({ found, ours, theirs }) => `${found} ${ours} ${theirs}`);
const now = async (order: Order): Promise<Order> => (await findOrder(db, rig.accountId, order.id))!;
const settleAll = async (report: Report | undefined) => {
  for (const { case: id, case_status: status } of report?.findings ?? [])
    if (status !== "closed") assert.equal((await afara(["cases", "close", id, "--resolution", "settled"])).code, 0);
};

for (const vendor of ["vtpass", "reloadly", "buypower"] as const)
  test(`${vendor}: books that agree are no finding, and each difference is a case, found once`, async () => {
    const good = await rig.buy(vendor, "successful");
    const missing = await rig.buy(vendor, "successful");
    const dearer = await rig.buy(vendor, "successful");
    const failed = await rig.buy(vendor, "successful");
    const agreed = await reconcile(vendor, await statementOf(vendor));
    assert.deepEqual([agreed.code, agreed.report?.findings, agreed.report?.references], [0, [], 4], agreed.err);

    const heading = EXPORTS[vendor][0].split(",");
    const at = (...names: string[]): number => heading.findIndex((name) => names.includes(name));
    const costAt = at("total_amount", "Cost", "totalAmountPaid");
    const statusAt = at("status", "Status");
    const referenceAt = at("requestId", "Custom Identifier", "orderId");
    const path = await statementOf(vendor, (lines) => {
      const of = (order: Order) => lines.find((line) => line[referenceAt] === order.attemptReference)!;
      of(dearer)[costAt] = "499.99";
      of(failed)[statusAt] = vendor === "reloadly" ? "FAILED" : "failed";
      const stranger = of(good)
        .with(referenceAt, "not-ours")
        .with(at("transactionId", "Transaction ID", "id"), "77");
      return [...lines.filter((line) => line !== of(missing)), stranger];
    });
    const { code, report } = await reconcile(vendor, path);
    assert.equal(code, 1);
    assert.equal(report?.ok, false);
    assert.deepEqual(foundFor(report, good), []);
    assert.deepEqual(foundFor(report, missing), ["unknown_to_them delivered nothing"]);
    const cost = String((await now(dearer)).facts?.cost);
    assert.deepEqual(foundFor(report, dearer), [`amount_differs ${cost} 499.99`]);
    assert.deepEqual(foundFor(report, failed), ["status_differs delivered failed"]);
    assert.partialDeepStrictEqual(
      report?.findings.filter(({ purchase }) => purchase === null),
      [{ found: "unknown_to_us", reference: "not-ours" }],
    );
    assert.deepEqual(new Set(report?.findings.map(({ case_status: status }) => status)), new Set(["new"]));

    const again = await reconcile(vendor, path);
    assert.deepEqual(
      again.report?.findings.map((finding) => [finding.case, finding.case_status]),
      report?.findings.map((finding) => [finding.case, "open"]),
    );
    await settleAll(again.report);
    const settled = await reconcile(vendor, path);
    assert.deepEqual([settled.code, settled.report?.findings.length], [0, 4], "what was settled is told, and no fault");
    assert.equal((await now(failed)).state, "successful", "a statement alone moves no money");
  });

test("what the vendor gave twice for one request is a duplicate", async () => {
  await vendors.scenario("vtpass", "delivered_twice");
  const order = await rig.buy("vtpass", "successful");
  const path = await statementOf("vtpass", (lines) => {
    const last = lines.findLastIndex((line) => line[0] === order.attemptReference);
    lines[last]![1] += "9"; // its second transaction has a number of its own
    return lines;
  });
  const { report } = await reconcile("vtpass", path);
  assert.deepEqual(foundFor(report, order), ["duplicate delivered 2 deliveries"]);
});

test("a delivery that only the statement tells of is asked about: the vendor confirms it, and it is booked as our loss", async () => {
  await vendors.scenario("vtpass", "failed_then_delivered");
  const order = await rig.buy("vtpass", "failed");
  await waitFor("the late delivery", async () => {
    const [vend] = await vendors.vends("vtpass", { reference: order.attemptReference! });
    return vend?.state === "delivered";
  });
  const { report } = await reconcile("vtpass", await statementOf("vtpass"));
  assert.deepEqual(foundFor(report, order), ["status_differs failed delivered"]);
  assert.equal(report?.asked_again, 1);
  await waitFor("the loss", async () => {
    const { rowCount } = await db.query("select 1 from transfers where kind = 'loss' and order_id = $1", [order.id]);
    return rowCount === 1;
  });
  const after = await reconcile("vtpass", await statementOf("vtpass"));
  assert.deepEqual(foundFor(after.report, order), [], "by our books it is delivered now, at our loss");
  assert.equal((await afara(["ledger", "check"])).code, 0);
});

test("a statement that can't be read, is another account's, or of a provider that has none, is exit code 2 with what to do", async () => {
  const odd = join(data.dir, "odd.csv");
  await writeFile(odd, "requestId,status,amount\na,delivered,ten");
  assert.match((await reconcile("vtpass", odd)).err, /can't be read as a statement:\n {2}- line 2: "ten" is no amount/);
  assert.match(
    (await reconcile("vtpass", join(data.dir, "absent.csv"))).err,
    /absent\.csv can't be read: no such file/,
  );
  const foreign = join(data.dir, "foreign.csv");
  await writeFile(foreign, ["requestId,status", ...Array.from({ length: 10 }, (_, n) => `a${n},delivered`)].join("\n"));
  const { rows: before } = await db.query("select count(*) from cases");
  assert.match((await reconcile("vtpass", foreign)).err, /none of its 10 references is an attempt of ours/);
  assert.deepEqual((await db.query("select count(*) from cases")).rows, before);
  const none = await afara(["reconcile", "--provider", "smsc-simulator", "--statement", odd]);
  assert.deepEqual([none.code, /has no supported statement format/.test(none.err)], [2, true]);
  const column = await afara(["reconcile", "--provider", "vtpass-simulator", "--statement", odd, "--column", "x=y"]);
  assert.equal(column.code, 2);
});

test("at night each attempt is asked about once: what the vendor took back, or does not know, is a case, and the refund follows", async () => {
  await vendors.scenario("vtpass", "delivered_then_reversed", { afterMs: 300 });
  const reversed = await rig.buy("vtpass", "successful");
  const good = await rig.buy("reloadly", "successful");
  await db.query(`update orders set facts = facts || '{"cost": "1.00"}' where id = $1`, [good.id]);
  const unknown = await rig.buy("buypower", "successful");
  await db.query("update attempts set reference = 'never-heard-of' where order_id = $1", [unknown.id]);
  await waitFor("the reversal at the vendor", async () => {
    const [vend] = await vendors.vends("vtpass", { reference: reversed.attemptReference! });
    return vend?.state === "reversed";
  });
  assert.equal((await now(reversed)).state, "successful", "no callback has come");

  const { log, errors } = listeningLog();
  // Later than two in the morning of the day after, in Lagos, whenever this runs.
  const night = { db, clock: clockAhead(27 * HOUR_MS), log, providers: rig.providers };
  const nodes = [makeNightlyComparison(night), makeNightlyComparison(night)];
  const { rows } = await db.query<{ attempts: bigint }>("select count(*) as attempts from attempts");
  for (let run = 0; run < Number(rows[0]!.attempts); run++) await Promise.all(nodes.map((ask) => ask()));
  const left = await db.query("select 1 from attempts where reconciled_at is null");
  assert.equal(left.rowCount, 0);

  const foundAtNight = async (order: Order) => {
    const { rows } = await db.query<{ found: string }>(
      "select evidence->>'found' || ' ' || (evidence->>'ours') || ' ' || (evidence->>'theirs') as found from cases where order_id = $1",
      [order.id],
    );
    return rows.map(({ found }) => found);
  };
  assert.deepEqual(await foundAtNight(reversed), ["status_differs delivered reversed"]);
  const [amount, ...more] = await foundAtNight(good);
  assert.deepEqual([/^amount_differs 1\.00 \d+\.\d\d$/.test(amount ?? ""), more], [true, []]);
  assert.deepEqual(await foundAtNight(unknown), ["unknown_to_them delivered nothing"]);
  assert.equal(errors.length, 3, errors.join("\n"));
  await waitFor("the refund", async () => (await now(reversed)).state === "reversed");
  assert.equal((await afara(["ledger", "check"])).code, 0);
});

test("a vendor that gives no answers at night is left alone for a while, and asked again in the same night", async () => {
  await rig.buy("vtpass", "successful");
  await rig.buy("vtpass", "successful");
  await rig.buy("vtpass", "successful");
  await rig.buy("vtpass", "successful");
  let asked = 0;
  let aheadMs = 27 * HOUR_MS;
  const clock = { now: () => clockAhead(aheadMs).now(), monotonicMs: () => clockAhead(aheadMs).monotonicMs() };
  const requery = async () => {
    asked += 1;
    return { kind: "unknown", detail: "no answer" } as const;
  };
  const providers = new Map([["vtpass-simulator", { requery, ready: () => true }]]);
  const ask = makeNightlyComparison({ db, clock, log: SILENT, providers });
  for (let run = 0; run < 10; run++) await ask();
  assert.equal(asked, 3);
  aheadMs += 11 * 60_000;
  for (let run = 0; run < 10; run++) await ask();
  assert.equal(asked, 6);
});

test("the float is compared with what was bought, and what is missing is a case; a low one is told", async () => {
  const { log, errors } = listeningLog();
  const provider = rig.providers.get("vtpass-simulator")!;
  const watched = { name: provider.name, balance: () => provider.balance!(), lowKobo: kobo(1_000_00) };
  const watch = makeWatchFloats({ db, clock: clockAhead(0), log, providers: [watched], everyMs: 600_000 });
  const floatOf = async () => {
    const { json } = await afara(["providers", "status", "--json"]);
    type Shown = {
      name: string;
      float: { balance: string; unexplained: string | null; spent: string | null; low: boolean };
    };
    return json<{ providers: readonly Shown[] }>().providers.find(({ name }) => name === watched.name)!.float;
  };

  await vendors.settings("vtpass", { balanceKobo: "1000000" });
  await watch();
  assert.partialDeepStrictEqual(await floatOf(), { balance: "10000.00", unexplained: null });

  await rig.buy("vtpass", "successful");
  await Promise.all([watch(), watch()]);
  assert.equal((await floatOf()).balance, "10000.00", "not twice within its time");
  const look = async () => {
    await db.query("update vendor_floats set claimed_at = claimed_at - interval '1 hour'");
    await watch();
    return floatOf();
  };
  assert.partialDeepStrictEqual(await look(), { balance: "9515.00", spent: "485.00", unexplained: "0.00", low: false });

  await vendors.settings("vtpass", { balanceKobo: "2000000" });
  assert.partialDeepStrictEqual(await look(), { balance: "20000.00", unexplained: "10485.00" }, "a deposit");
  assert.deepEqual(errors, []);

  await vendors.settings("vtpass", { balanceKobo: "50000" });
  assert.partialDeepStrictEqual(await look(), { balance: "500.00", unexplained: "-19500.00" });
  assert.deepEqual(errors, [
    "our money at a vendor runs low: pay in",
    "a vendor took more than we bought: see ./afara cases list",
  ]);
  const { rows } = await db.query(
    "select evidence->>'unexplained' as unexplained from cases where evidence->>'found' = 'float_differs'",
  );
  assert.deepEqual(rows, [{ unexplained: "-19500.00" }]);
});

test("what was open at a look may have been paid on either side of it, and is no difference", async () => {
  const { log, errors } = listeningLog();
  const provider = rig.providers.get("buypower-simulator")!;
  const watched = { name: provider.name, balance: () => provider.balance!(), lowKobo: undefined };
  const watch = makeWatchFloats({ db, clock: clockAhead(0), log, providers: [watched], everyMs: 0 });
  await watch();
  await vendors.scenario("buypower", "pending_then_delivered", { afterMs: 2_500 });
  const order = await rig.buy("buypower", "processing");
  await waitFor("the vendor's debit", async () => {
    const [vend] = await vendors.vends("buypower", { recipient: order.recipient });
    return vend !== undefined;
  });
  await watch();
  const seen = async () =>
    (
      await db.query("select spent_kobo, unexplained_kobo, undecided_kobo from vendor_floats where provider = $1", [
        watched.name,
      ])
    ).rows[0];
  assert.deepEqual(await seen(), { spent_kobo: 0n, unexplained_kobo: -500_000n, undecided_kobo: 500_000n });
  const told = (await afara(["providers", "status"])).out.replaceAll(/\s+/g, " ");
  assert.match(told, /₦-5,000\.00 of the last change is unexplained, with up to ₦5,000\.00 of purchases pending/);
  await waitFor("success", async () => (await now(order)).state === "successful");
  await watch();
  assert.deepEqual(await seen(), { spent_kobo: 500_000n, unexplained_kobo: 500_000n, undecided_kobo: 0n });
  assert.deepEqual(errors, []);
});
