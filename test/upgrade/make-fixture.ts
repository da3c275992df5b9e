import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { withAllVendors } from "./fixture.ts";

/**
 * Makes the fixture that `upgrade.test.ts` begins with. Run by hand, with a checkout of the build that is upgraded from:
 *
 *     node test/upgrade/make-fixture.ts OLD_CHECKOUT test/upgrade/fixtures
 *
 * It starts that build with its simulators, leads orders into every state, kills the gateway and dumps what it left.
 */
const [checkoutPath, target] = process.argv.slice(2);
if (checkoutPath === undefined || target === undefined) throw new Error("usage: make-fixture.ts OLD_CHECKOUT TARGET");
const checkout = resolve(checkoutPath);
const importOld = (path: string) => import(pathToFileURL(join(checkout, path)).href);

const { startRig, phone } = (await importOld("test/e2e/rig.ts")) as typeof import("../e2e/rig.ts");
const { chat, chatReached, handsetWrites, template } = (await importOld(
  "test/e2e/chats.ts",
)) as typeof import("../e2e/chats.ts");
const { waitFor } = (await importOld("src/testing/wait-for.ts")) as typeof import("../../src/testing/wait-for.ts");
const { makeCli } = (await importOld("src/testing/cli.ts")) as typeof import("../../src/testing/cli.ts");
const { decodeId } = (await importOld("src/kernel/ids.ts")) as typeof import("../../src/kernel/ids.ts");
const { makeOpenCases } = (await importOld(
  "src/cases/open-cases.ts",
)) as typeof import("../../src/cases/open-cases.ts");

/** Vendors' answers may take longer than elsewhere, so that the kill hits calls on the way. */
const rig = await startRig((config) => withAllVendors(config, { responseTimeoutMs: 6_000 }));
const { db, local, smsc, vendors } = rig;
const afara = makeCli(rig.environment);
const message = "Your order is ready";
const magic = (digits: string) => `+23480000000${digits}`;

const countOf = async (service: string, state: string): Promise<number> => {
  const { rows } = await db.query<{ orders: number }>(
    "select count(*)::int as orders from orders where service = $1 and state = $2",
    [service, state],
  );
  return rows[0]?.orders ?? 0;
};
const reached = (service: string, state: string) =>
  waitFor(`${service} ${state}`, async () => (await countOf(service, state)) > 0 || undefined, 60_000);

let keys = 0;
async function buy(path: string, body: object, who: Pick<typeof local, "post"> = local): Promise<void> {
  keys += 1;
  const answer = await who.post<{ code?: string }>(path, body, { "idempotency-key": `purchase-${keys}` });
  console.log(path, JSON.stringify(body), answer.status, answer.body.code ?? "");
}
/** Given to a vendor; the kill comes before the answer. */
const unfinished = (buying: Promise<void>) => void buying.catch(() => undefined);
const airtime = (to: string, network = "mtn") => buy("/airtime/topup", { to, amount: 100, network });
const electricity = (meter: string, disco = "ikeja-electric", who: Pick<typeof local, "post"> = local) =>
  buy(
    "/electricity/purchase",
    { meter_number: meter, disco, amount: 3_000, to: phone(90), notify: { channel: "sms" } },
    who,
  );

/** The same row as of `./afara providers pause`, which takes a second of the little time before the kill. */
const pause = (route: string) =>
  db.query("insert into route_pauses (route, reason) values ($1, 'the fixture keeps it waiting')", [route]);
const resume = (route: string) => db.query("delete from route_pauses where route = $1", [route]);
const only = async (vendor: string, others: readonly string[]) => {
  for (const other of others) await pause(other);
  await resume(vendor);
  // Each node reads the pauses once a second: with the next heartbeat but one it certainly has.
  const { rows } = await db.query<{ at: Date }>("select max(heartbeat_at) as at from nodes");
  const from = rows[0]?.at.getTime() ?? 0;
  await waitFor("two heartbeats", async () => {
    const now = await db.query<{ at: Date }>("select max(heartbeat_at) as at from nodes");
    return (now.rows[0]?.at.getTime() ?? 0) > from + 1_500 || undefined;
  });
};
await only("vtpass-simulator", ["reloadly-simulator", "buypower-simulator"]);

// What an account keeps besides its orders.
await local.post("/sms/suppressions", { phone: phone(70), reason: "asked by mail" });
await local.post("/sms/senders", { sender: "Fixture", class: "transactional" });
const other = await rig.subscriber({
  plan: "free",
  balance: "9000.00",
  also: { airtime: "growth", electricity: "free", chat: "growth" },
});
await other.send({ to: phone(73), message });
for (const method of ["link", "bank_transfer"])
  assert.equal((await local.post("/wallet/topups", { amount: "2500.00", method })).status, 201);
await local.post(`/test/handsets/${encodeURIComponent(phone(71))}/messages`, { channel: "sms", message: "STOP" });
await smsc.write(phone(72).slice(1), { to: "20009", message: "Hello?" });

// SMS that ends.
await local.send({ to: phone(1), message, reference: "delivered-1" }, { "idempotency-key": "sms-1" });
const old = await local.send({ to: phone(1), message }, { "idempotency-key": "sms-old" });
for (const digits of ["01", "02", "03", "05", "09"]) await local.send({ to: magic(digits), message });
const scheduledAt = new Date(Date.now() + 40 * 3_600_000).toISOString();
await local.send({ to: phone(2), message, send_at: scheduledAt });
const cancelled = await local.send({ to: phone(3), message, send_at: scheduledAt });
await local.post(`/sms/cancel/${cancelled.id}`);
await local.post("/sms/bulk", { to: [phone(4), phone(5), magic("02")], message, reference: "bulk-1" });
await local.post("/sms/bulk", {
  to: [phone(12), phone(13)],
  message,
  reference: "bulk-2",
  send_at: scheduledAt,
});

// Chat that ends.
await handsetWrites(local, phone(20));
const read = await chat(local, "text", { to: phone(20), message });
await chat(local, "template", template(magic("01")));
await chatReached(local, read.id, "read");

// Purchases.
await waitFor("data plans", async () => {
  const { body } = await local.get<{
    data: readonly { plan_id: string; price: { amount: string }; available: boolean }[];
  }>("/airtime/data/plans?network=mtn");
  const plan = body.data.find(({ available }) => available);
  if (plan === undefined) return undefined;
  await buy("/airtime/data", { to: phone(30), plan_id: plan.plan_id, expected_price: plan.price.amount });
  return true;
});
type Scenario = Parameters<typeof vendors.scenario>[1];
const on = (recipient: string, scenario: Scenario, more: { readonly times?: number; readonly afterMs?: number } = {}) =>
  vendors.scenario("vtpass", scenario, { recipient, times: 9, ...more });
/** After the end of a purchase that no other vendor takes. */
const LATE_MS = 28_000;
await on(phone(32), "pending_forever");
await on(phone(33), "failed_then_delivered", { afterMs: LATE_MS });
await on(phone(34), "accepted_then_forgotten");
await on("11111111112", "pending_forever");
await on("11111111113", "no_token_ever");
await on("11111111114", "failed_then_delivered", { afterMs: LATE_MS });
await on("11111111115", "product_down");
await on("11111111116", "accepted_then_forgotten");
await Promise.all([
  airtime(phone(31)),
  airtime(magic("01")),
  airtime(magic("11")),
  airtime(phone(32)),
  airtime(phone(33)),
  airtime(phone(34)),
  electricity("11111111111"),
  electricity("11111111112"),
  electricity("11111111113"),
  electricity("11111111114"),
  electricity("11111111115"),
  electricity("11111111116"),
  electricity("70000000007", "abuja-electric"),
  electricity("70000000007"),
]);
for (const [service, state] of [
  ["sms", "failed"],
  ["airtime", "reversed"],
  ["electricity", "reversed"],
] as const)
  await reached(service, state);

// A receipt of a message id that no answer has named.
const receipt = Buffer.from("id:4242424242 sub:001 dlvrd:001 stat:DELIVRD err:000").toString("hex");
await smsc.deliver({
  source: phone(7).slice(1),
  destination: "Afara",
  sourceTon: 1,
  destinationTon: 5,
  esmClass: 0x04,
  message: receipt,
});
await waitFor("the parked report", async () => {
  const { rows } = await db.query("select 1 from provider_references where parked is not null");
  return rows.length > 0 || undefined;
});

await waitFor(
  "two late deliveries",
  async () => {
    const { rows } = await db.query("select 1 from transfers where kind = 'loss'");
    return rows.length === 2 || undefined;
  },
  60_000,
);

// Answers that a person must look at, and what a vendor's books have beyond ours.
await only("reloadly-simulator", ["vtpass-simulator"]);
await vendors.scenario("reloadly", "delivered_short", { recipient: phone(35) });
await airtime(phone(35));
await only("buypower-simulator", ["reloadly-simulator"]);
await vendors.scenario("buypower", "half_key_change", { recipient: "11111111117" });
await electricity("11111111117");
await only("vtpass-simulator", ["buypower-simulator"]);
const books = join(rig.gateway.dataDir, "books.csv");
writeFileSync(
  books,
  `Date,Transaction ID,Request ID,Amount,Total_Amount,STATUS\n${new Date().toISOString()},1,not-ours,100,98,Delivered\n`,
);
await afara(["reconcile", "--provider", "vtpass-simulator", "--statement", books]);
/** In the two minutes that its purchases may be undecided, the gateway itself opens no case of them. */
const later = { now: () => new Date(Date.now() + 180_000), monotonicMs: () => performance.now() };
/** The builds after it want the prefixes too. */
const SOLD = ["airtime", "electricity"];
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
await makeOpenCases({
  db,
  clock: later,
  log: silent,
  services: SOLD,
  idPrefixes: new Map(SOLD.map((service) => [service, "pur"])),
})();
await db.query("update cases set opened_at = now() where opened_at > now()");

// What has no end yet: said last, because in test mode each wait is short.
const NEVER_MS = 3_600_000;
await vendors.settings("whatsapp", { readMs: NEVER_MS });
const delivered = await chat(local, "template", template(phone(21)));
await chatReached(local, delivered.id, "delivered");
await local.send({ to: magic("05"), message, on_ambiguous: "fail" });
await vendors.scenario("whatsapp", "never_received_silent", { recipient: phone(24).slice(1), times: 9 });
await chat(local, "template", template(phone(24)));
await waitFor("the last try of a chat message", async () => {
  const { rows } = await db.query("select 1 from orders where recipient = $1 and attempt = 3", [phone(24).slice(1)]);
  return rows.length > 0 || undefined;
});
await vendors.settings("whatsapp", { deliveredMs: NEVER_MS });
const taken = await chat(local, "template", template(phone(22)));
await chatReached(local, taken.id, "sent");
await vendors.settings("whatsapp", { sentMs: NEVER_MS });
await chat(local, "template", template(phone(23)));
await smsc.setFaults({ receiptDelayMs: NEVER_MS });
const sent = await local.send({ to: phone(6), message });
await local.reached(sent.id, "sent");
await smsc.setFaults({ receiptDelayMs: 0 });
await pause("whatsapp-simulator");
await reached("chat", "unknown");
assert.ok((await countOf("sms", "unknown")) > 0, "an SMS without an answer");

// From here to the kill: less than the four seconds that a chat message is unknown.
for (const [recipient, scenario] of [
  [phone(36), "pending_then_delivered"],
  [phone(37), "pending_then_failed"],
  [phone(38), "timeout_then_delivered"],
  [phone(39), "never_received_silent"],
  ["11111111118", "pending_then_delivered"],
  ["11111111119", "token_late"],
] as const)
  await on(recipient, scenario, { times: 1, afterMs: 8_000 });
for (const index of [36, 37, 38, 39]) unfinished(airtime(phone(index)));
for (const meter of ["11111111118", "11111111119"]) unfinished(electricity(meter));
// Taken by the network, which reports it, but not answered; and not taken.
await smsc.setFaults({ unansweredSubmits: 1, unansweredAreTaken: true });
await local.send({ to: phone(10), message, on_ambiguous: "fail" });
await waitFor("a parked report of a message that is being sent", async () => {
  const { rows } = await db.query("select 1 from provider_references where parked_recipient = $1", [
    phone(10).slice(1),
  ]);
  return rows.length > 0 || undefined;
});
await smsc.setFaults({ unansweredSubmits: 50, unansweredAreTaken: false });
await local.send({ to: phone(8), message, on_ambiguous: "fail" });
await pause("smsc-simulator");
await waitFor("queued orders", async () => {
  await local.send({ to: phone(9), message });
  await chat(local, "template", template(phone(25)));
  return (await countOf("sms", "queued")) > 0 && (await countOf("chat", "queued")) > 0 ? true : undefined;
});
// The notice of a purchase, which waits for the counter of the messages of its account.
const holder = new pg.Client(rig.environment.DATABASE_URL);
await holder.connect();
await holder.query("begin");
await holder.query("select 1 from usage_counters where account_id = $1 and service = 'sms' for update", [
  other.accountId,
]);
unfinished(electricity("11111111120", "ikeja-electric", other));
await waitFor("a notice that waits", async () => {
  const { rows } = await db.query(
    `select 1 from notices n join orders o on o.account_id = n.account_id and o.id = n.order_id
      where n.state = 'pending' and o.state = 'successful'
        and exists (select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`,
  );
  return rows.length > 0 || undefined;
});
rig.gateway.signal("SIGKILL");
await rig.gateway.ended;
await db.query(
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
);
await holder.end();

// A key that is over, as are those of messages 72 hours after the end: eighty hours have passed for one message.
await db.query(
  `update orders set created_at = created_at - interval '80 hours', updated_at = updated_at - interval '80 hours',
          ended_at = ended_at - interval '80 hours' where id = $1`,
  [decodeId("msg", old.id)],
);
await db.query(
  "update order_keys set created_at = created_at - interval '80 hours', review_at = review_at - interval '80 hours' where key = 'sms-old'",
);

for (const state of ["sms sending", "sms unknown", "sms queued", "sms scheduled", "chat unknown", "chat queued"])
  assert.ok((await countOf(state.split(" ")[0] ?? "", state.split(" ")[1] ?? "")) > 0, state);

// The dump: the old migrations as they were, the old partitions, then every row as JSON.
const takenAt = new Date();
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const migrationsDir = join(checkout, "migrations");
const statements = [
  "create table migrations (number int primary key, name text not null, applied_at timestamptz not null default now());",
  ...readdirSync(migrationsDir)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => `${readFileSync(join(migrationsDir, name), "utf8")};`),
];
const { rows: partitions } = await db.query<{ parent: string; child: string; bound: string }>(
  `select parent.relname as parent, child.relname as child, pg_get_expr(child.relpartbound, child.oid) as bound
     from pg_inherits i join pg_class parent on parent.oid = i.inhparent join pg_class child on child.oid = i.inhrelid
    where child.relkind = 'r' order by 1, 2`,
);
for (const { parent, child, bound } of partitions)
  statements.push(`create table if not exists "${child}" partition of "${parent}" ${bound};`);
statements.push("set session_replication_role = replica;");
const { rows: tables } = await db.query<{ name: string }>(
  `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace order by 1`,
);
for (const { name } of tables) {
  const { rows } = await db.query<{ row: string }>(`select row_to_json(t)::text as row from "${name}" t`);
  statements.push(`delete from "${name}";`);
  if (rows.length > 0)
    statements.push(
      `insert into "${name}" select * from json_populate_recordset(null::"${name}", ${quote(`[${rows.map(({ row }) => row).join(",\n")}]`)});`,
    );
}
const { rows: sequences } = await db.query<{ name: string; value: string | null }>(
  "select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public'",
);
for (const { name, value } of sequences) if (value !== null) statements.push(`select setval('"${name}"', ${value});`);
statements.push("set session_replication_role = default;");
writeFileSync(join(target, "database.sql.gz"), gzipSync(statements.join("\n"), { level: 9 }));

const { dataDir } = rig.gateway;
await waitFor(
  "the end of the simulators, which write all that they keep into one file",
  () => !existsSync(join(dataDir, "vendors/vendors.sqlite-wal")),
);
const files = Object.fromEntries(
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !["test.config.mjs", "books.csv"].includes(entry.name) && !entry.name.endsWith(".lock"),
    )
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(dataDir.length + 1), readFileSync(path).toString("base64")];
    }),
);
console.log(Object.entries(files).map(([name, text]) => `${name} ${text.length}`));
writeFileSync(join(target, "data-dir.json.gz"), gzipSync(JSON.stringify({ takenAt, files }), { level: 9 }));
const { rows: states } = await db.query("select service, state, count(*)::int from orders group by 1, 2 order by 1, 2");
console.table(states);
console.table((await db.query("select kind, count(*)::int from cases group by 1")).rows);

test("what was started is ended by the hooks of the tests", () => undefined);
