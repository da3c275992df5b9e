import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

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

const rig = await startRig();
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
async function buy(path: string, body: object, wait = true): Promise<void> {
  keys += 1;
  const buying = local.post<{ code?: string }>(path, body, { "idempotency-key": `purchase-${keys}` });
  if (wait) console.log(path, JSON.stringify(body), (await buying).status, (await buying).body.code ?? "");
  else buying.catch(() => undefined);
}
const airtime = (to: string, network = "mtn") => buy("/airtime/topup", { to, amount: 100, network });
const electricity = (meter: string, disco = "ikeja-electric") =>
  buy("/electricity/purchase", {
    meter_number: meter,
    disco,
    amount: 3_000,
    to: phone(90),
    notify: { channel: "sms" },
  });

// What an account keeps besides its orders.
await local.post("/sms/suppressions", { phone: phone(70), reason: "asked by mail" });
await local.post("/sms/senders", { sender: "Fixture", class: "transactional" });
await rig.subscriber({ balance: "5000.00", also: { airtime: "growth", electricity: "free", chat: "free" } });
await local.post(`/test/handsets/${encodeURIComponent(phone(71))}/messages`, { channel: "sms", message: "STOP" });
await smsc.write(phone(72).slice(1), { to: "20009", message: "Hello?" });

// SMS that ends.
await local.send({ to: phone(1), message, reference: "delivered-1" }, { "idempotency-key": "sms-1" });
for (const digits of ["01", "02", "03", "05", "09"]) await local.send({ to: magic(digits), message });
const scheduledAt = new Date(Date.now() + 40 * 3_600_000).toISOString();
await local.send({ to: phone(2), message, send_at: scheduledAt });
const cancelled = await local.send({ to: phone(3), message, send_at: scheduledAt });
await local.post(`/sms/cancel/${cancelled.id}`);
await local.post("/sms/bulk", { to: [phone(4), phone(5), magic("02")], message, reference: "bulk-1" });

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
for (const vendor of ["vtpass", "reloadly", "buypower"]) {
  const on = (recipient: string, scenario: Parameters<typeof vendors.scenario>[1]) =>
    vendors.scenario(vendor, scenario, { recipient, times: 9 }).catch(() => undefined);
  for (const form of [phone(32).slice(1), `0${phone(32).slice(4)}`]) await on(form, "pending_forever");
  for (const form of [phone(33).slice(1), `0${phone(33).slice(4)}`]) await on(form, "failed_then_delivered");
  for (const form of [phone(34).slice(1), `0${phone(34).slice(4)}`]) await on(form, "accepted_then_forgotten");
  await on("11111111112", "pending_forever");
  await on("11111111113", "no_token_ever");
  await on("11111111114", "failed_then_delivered");
  await on("11111111115", "product_down");
  await on("11111111116", "accepted_then_forgotten");
}
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

// What has no end yet: said last, because in test mode each wait is short.
const NEVER_MS = 3_600_000;
await vendors.settings("whatsapp", { readMs: NEVER_MS });
const delivered = await chat(local, "template", template(phone(21)));
await chatReached(local, delivered.id, "delivered");
await vendors.settings("whatsapp", { deliveredMs: NEVER_MS });
const taken = await chat(local, "template", template(phone(22)));
await chatReached(local, taken.id, "sent");
await vendors.settings("whatsapp", { sentMs: NEVER_MS });
await chat(local, "template", template(phone(23)));
await smsc.setFaults({ receiptsPaused: true });
const sent = await local.send({ to: phone(6), message });
await local.reached(sent.id, "sent");
await vendors.scenario("whatsapp", "never_received_silent", { recipient: phone(24).slice(1), times: 9 });
await chat(local, "template", template(phone(24)));
await reached("chat", "unknown");
await local.send({ to: magic("05"), message, on_ambiguous: "fail" });
await waitFor("an SMS without an answer", async () => (await countOf("sms", "unknown")) > 0 || undefined, 60_000);
// Taken by nobody, and not answered: the kill hits them on the way.
await smsc.setFaults({ unansweredSubmits: 50, unansweredAreTaken: false });
await local.send({ to: phone(8), message, on_ambiguous: "fail" });
await reached("sms", "sending");
for (const name of ["smsc-simulator", "whatsapp-simulator"])
  assert.equal((await afara(["providers", "pause", name, "--reason", "the fixture keeps it queued"])).code, 0);
await waitFor("queued orders", async () => {
  await local.send({ to: phone(9), message });
  await chat(local, "template", template(phone(25)));
  return (await countOf("sms", "queued")) > 0 && (await countOf("chat", "queued")) > 0 ? true : undefined;
});
rig.gateway.signal("SIGKILL");
await rig.gateway.ended;

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
statements.push("set session_replication_role = default;");
writeFileSync(join(target, "database.sql.gz"), gzipSync(statements.join("\n"), { level: 9 }));

const { dataDir } = rig.gateway;
const files = Object.fromEntries(
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "test.config.mjs" && !entry.name.endsWith(".lock"))
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
