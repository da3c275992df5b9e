import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { SERVICES } from "../../src/app/services.ts";
import { readSchema } from "../../src/db/migrate.ts";
import { encodeId, type Uuid } from "../../src/kernel/ids.ts";
import { parseKobo } from "../../src/kernel/kobo.ts";
import { purchaseStatus } from "../../src/purchases/purchase.steps.ts";
import { readSmscLog } from "../../src/simulators/smsc/log.ts";
import { MIGRATIONS_DIR } from "../../src/testing/database.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { SERVICES_OF_FIXTURE } from "./fixture.ts";
import {
  afara,
  all,
  before,
  call,
  connection,
  data,
  databases,
  db,
  functionsOf,
  get,
  holds,
  KEPT,
  keptBefore,
  keyBefore,
  killUpgradeIn,
  local,
  migrationsBefore,
  migrationsNow,
  nameOf,
  one,
  openAttempts,
  ordersNow,
  pendingNotices,
  rowsOf,
  startUpgrade,
  sumOf,
  transfersBefore,
  transfersNow,
  vendors,
  walletsBefore,
} from "./rig.ts";

/** The build before the rebuilding is upgraded to this one. The tests are one story, in their order. */
let startedAt = 0;

/** The network reported this message before the upgrade, and the answer that names it came never. */
const REPORTED = "2348031000010";
/** A report of a message that is nobody's. */
const NOBODYS_REPORT = "2348031000007";
const CASES = ["answer_in_doubt", "late_success", "outcome_unknown", "reconciliation", "taken_not_found"];

/** States of which the fixture has no order, each with the reason. */
const NOT_AT_REST: Readonly<Record<string, string>> = {
  "airtime token_pending": "only electricity is delivered by a token",
};

test("the fixture has an order in each state of each service of its build that rests, parked reports and all that an account keeps", async () => {
  const there = new Set(before.map(({ service, state }) => `${service} ${state}`));
  const states = SERVICES.filter(({ service }) => SERVICES_OF_FIXTURE.includes(service)).flatMap(({ service, table }) =>
    Object.keys(table.states).map((state) => `${service} ${state}`),
  );
  assert.deepEqual(
    states.filter((state) => !there.has(state)),
    Object.keys(NOT_AT_REST),
  );
  assert.deepEqual([...new Set(before.map(({ service }) => service))].sort(), SERVICES_OF_FIXTURE);
  for (const [table, rows] of keptBefore) assert.ok(rows > 0, table);
  assert.ok(pendingNotices.length > 0, "pending notices");
  const parked = await db.query<{ recipient: string }>(
    "select parked_recipient as recipient from provider_references where parked is not null order by 1",
  );
  assert.deepEqual(
    parked.rows.map(({ recipient }) => recipient),
    [NOBODYS_REPORT, REPORTED],
  );
  const cases = await db.query<{ kind: string }>(
    "select distinct kind from cases where closed_at is null order by kind",
  );
  assert.deepEqual(
    cases.rows.map(({ kind }) => kind),
    CASES,
  );
  assert.deepEqual(await ledgerFindings(connection), []);
});

test("the money that the fixture holds is that of its open orders", () => {
  for (const { account, held } of walletsBefore)
    assert.equal(held, sumOf(before.filter((order) => order.account === account && holds(order))));
  assert.ok(walletsBefore.filter(({ held }) => held > 0n).length > 0);
});

const { migrations } = readSchema(MIGRATIONS_DIR);
const missing = migrations.filter(({ number }) => !migrationsBefore.includes(number));

test("killed in its first migration, the program leaves nothing of the upgrade", async () => {
  const functionsBefore = await functionsOf(connection);
  await killUpgradeIn(missing[0]!.number);
  assert.deepEqual(await migrationsNow(), migrationsBefore);
  assert.deepEqual(await functionsOf(connection), functionsBefore);
  assert.deepEqual(await ordersNow(), before);
});

test("killed in its last migration, the program leaves whole migrations with the functions of before, and the next start goes on", async () => {
  const finished = missing.slice(0, -1);
  const defined = finished.flatMap(({ sql }) => [...sql.matchAll(/^-- define: (\w+)$/gm)].map(([, name]) => name));
  const others = async () => (await functionsOf(connection)).filter(({ name }) => !defined.includes(name));
  const functionsBefore = await others();
  await killUpgradeIn(missing.at(-1)!.number);
  assert.deepEqual(await migrationsNow(), [...migrationsBefore, ...finished.map(({ number }) => number)]);
  assert.deepEqual(await others(), functionsBefore);
  assert.deepEqual(await ordersNow(), before);

  startedAt = Date.now();
  await startUpgrade();
  assert.deepEqual(
    await migrationsNow(),
    migrations.map(({ number }) => number),
  );
});

test("an upgraded database has the functions of a new one", async () => {
  assert.deepEqual(await functionsOf(connection), await functionsOf(await databases.make({ migrated: true })));
});

/** Orders without an end, by recipient, each with the reason. */
const STAY: Readonly<Record<string, string>> = {
  "2348031000002": "scheduled for the day after tomorrow",
  "2348031000012": "of a bulk that is scheduled for the day after tomorrow",
  "2348031000013": "of a bulk that is scheduled for the day after tomorrow",
  "2348031000032": "the vendor has it, and gives no end",
  "2348031000034": "the vendor took it, and knows nothing of it",
  "11111111112": "the vendor has it, and gives no end",
  "11111111113": "delivered by the vendor's word, and no token comes",
  "11111111116": "the vendor took it, and knows nothing of it",
};

test("what had not ended ends, or is kept with its hold", async () => {
  await vendors.settings("whatsapp", { sentMs: 50, deliveredMs: 200, readMs: 500 });
  // The second sellers stay paused: what the first one fails is then bought nowhere else.
  for (const name of ["smsc", "whatsapp"])
    assert.equal((await afara(["providers", "resume", `${name}-simulator`])).code, 0);
  const open = async () => (await ordersNow()).filter(({ ended }) => !ended);
  await waitFor(
    "the end of the open orders",
    async () => (await open()).every(({ recipient }) => recipient in STAY),
    90_000,
  ).catch(async (error: Error) =>
    assert.fail(
      `${error.message}: ${JSON.stringify((await open()).map(({ recipient, state }) => [recipient, state]))}`,
    ),
  );
  assert.deepEqual((await open()).map(({ recipient }) => recipient).sort(), Object.keys(STAY).sort());
  const now = await ordersNow();
  const ids = new Set(now.map(({ id }) => id));
  assert.deepEqual(
    before.filter(({ id }) => !ids.has(id)),
    [],
    "no order is lost",
  );
  const ended = new Map(before.filter((order) => order.ended).map(({ id, state }) => [id, state]));
  for (const { id, state, service } of now)
    if (ended.has(id) && service !== "chat") assert.equal(state, ended.get(id), "what had ended stays as it was");
});

test("open purchases end as their vendors have them, and each is asked for by its reference of before", async () => {
  const states = new Map((await ordersNow()).map(({ recipient, state }) => [recipient, state]));
  for (const [recipient, state] of [
    ["2348031000036", "successful"],
    ["2348031000037", "failed"],
    ["2348031000038", "successful"],
    ["11111111118", "successful"],
    ["11111111119", "successful"],
  ] as const)
    assert.equal(states.get(recipient), state, recipient);
  const asked = (await Promise.all(["vtpass", "reloadly", "buypower"].map((vendor) => vendors.calls(vendor))))
    .flat()
    .filter(({ at }) => at >= startedAt);
  assert.deepEqual(
    openAttempts.filter(({ reference }) => !asked.some(({ path, body }) => `${path} ${body}`.includes(reference))),
    [],
  );
});

test("a report that was parked ends its message once that is known to be without an answer; nobody's report ends none", async () => {
  const now = await ordersNow();
  assert.deepEqual(
    now.filter(({ recipient }) => recipient === REPORTED).map(({ state }) => state),
    ["delivered"],
  );
  const { rows } = await db.query<{ recipient: string; order: Uuid | null }>(
    `select parked_recipient as recipient, order_id as "order" from provider_references where parked is not null`,
  );
  assert.deepEqual(rows, [{ recipient: NOBODYS_REPORT, order: null }]);
});

test("customers are told of what was bought before the upgrade", async () => {
  for (const { order, message } of pendingNotices) {
    assert.equal(await one("select state as value from notices where order_id = $1", [order]), "made");
    assert.equal(await one("select state as value from orders where id = $1", [message]), "delivered");
  }
});

test("nothing that the network had taken before or after the upgrade was taken twice", async () => {
  const takes = new Map<string, number>();
  for await (const line of readSmscLog(join(data.dir, "smsc"))) {
    if (line.kind !== "submit" || line.messageId === null || !line.trace) continue;
    const piece = `${line.trace.orderId}/${line.trace.piece}`;
    takes.set(piece, (takes.get(piece) ?? 0) + 1);
  }
  assert.ok(takes.size > 0);
  assert.deepEqual(
    [...takes].filter(([, times]) => times > 1),
    [],
  );
});

test("nothing that a vendor had vended before or after the upgrade was vended twice", async () => {
  const { rows } = await db.query<{ id: Uuid; state: string; recipient: string; route: string; reference: string }>(
    `select o.id, o.state, o.recipient, a.route, a.reference from attempts a
       join orders o on o.account_id = a.account_id and o.id = a.order_id where o.ambiguity = 'requery'`,
  );
  const vends = new Map<Uuid, number>();
  for (const { id, route, reference } of rows) {
    const taken = await vendors.vends(route.replace("-simulator", ""), { reference });
    vends.set(id, (vends.get(id) ?? 0) + taken.filter((vend) => vend.state !== "failed").length);
  }
  assert.deepEqual(
    rows.filter(({ id, state }) => (vends.get(id) ?? 0) > 1 || (state === "successful" && vends.get(id) !== 1)),
    [],
  );
  // Given to the vendor at the kill, which never had it: given again in its twenty seconds, or ended after them.
  const lost = rows.filter(({ recipient }) => recipient === "2348031000039");
  assert.deepEqual(
    lost.map(({ id, state }) => [state, vends.get(id)]),
    [lost[0]?.state === "failed" ? ["failed", 0] : ["successful", 1]],
  );
});

test("no chat message was given to the vendor twice once it was taken, and what was queued is on its handset", async () => {
  const calls = await vendors.calls("whatsapp");
  const chats = (await ordersNow()).filter(({ service }) => service === "chat");
  const takes = chats.map(
    ({ id }) => calls.filter(({ status, wire, body }) => status === 200 && wire === null && body.includes(id)).length,
  );
  assert.ok(takes.includes(1));
  assert.deepEqual(
    chats.filter((_, index) => (takes[index] ?? 0) > 1),
    [],
  );
  const queued = before.filter(({ service, state }) => service === "chat" && state === "queued");
  for (const { id, recipient } of queued) {
    const arrived = await vendors.chatMessages("whatsapp", recipient);
    assert.equal(arrived.filter(({ reference }) => reference?.startsWith(id)).length, 1);
  }
});

interface View {
  readonly id: string;
  readonly status: string;
  readonly charge: string;
  readonly price: { readonly amount: string };
}
test("every order is shown in its state, with its price; and the wallet has lost what was charged", async () => {
  const wasThere = new Map(before.map((order) => [order.id, order]));
  const now = (await ordersNow()).filter(({ account }) => account === local);
  let charged = 0n;
  let held = 0n;
  for (const order of now) {
    const view = await get<View>(`/${order.service}/status/${nameOf(order)}`);
    assert.deepEqual(
      [view.status, parseKobo(view.price.amount)],
      [purchaseStatus(order.state), order.price],
      JSON.stringify(view),
    );
    assert.equal(view.charge === "held", holds(order));
    const earlier = wasThere.get(order.id);
    if (view.charge === "charged" && (earlier === undefined || holds(earlier))) charged += order.price;
    if (view.charge === "held") held += order.price;
  }
  const start = walletsBefore.find(({ account }) => account === local);
  const wallet = await get<Record<"balance" | "held", { amount: string }>>("/wallet");
  assert.deepEqual(
    [parseKobo(wallet.balance.amount), parseKobo(wallet.held.amount)],
    [(start?.balance ?? 0n) - charged, held],
  );
});

test("the statement tells every movement, before and after the upgrade, and ends at the wallet", async () => {
  const lines =
    await all<Record<"amount" | "held_change" | "balance_after" | "held_after", { amount: string }>>(
      "/wallet/transactions",
    );
  const wallet = await get<Record<"balance" | "held", { amount: string }>>("/wallet");
  const total = (field: "amount" | "held_change") => lines.reduce((sum, line) => sum + signed(line[field].amount), 0n);
  assert.deepEqual(
    [total("amount"), total("held_change")],
    [parseKobo(wallet.balance.amount), parseKobo(wallet.held.amount)],
  );
  assert.deepEqual([lines[0]?.balance_after, lines[0]?.held_after], [wallet.balance, wallet.held]);
});
const signed = (amount: string): bigint => (amount.startsWith("-") ? -parseKobo(amount.slice(1)) : parseKobo(amount));

test("the lists have every order, received message, top-up and suppression of before", async () => {
  const counted = async (sql: string) =>
    Number(await one<number>(`select count(*)::int as value from ${sql}`, [local]));
  for (const [path, sql] of [
    ["/sms/messages?direction=outbound", "orders where account_id = $1 and service = 'sms'"],
    ["/sms/messages?direction=inbound", "inbound_messages where account_id = $1"],
    ["/chat/messages?direction=outbound", "orders where account_id = $1 and service = 'chat'"],
    ["/chat/messages?direction=inbound", "chat_inbound where account_id = $1"],
    ["/airtime/purchases", "orders where account_id = $1 and service = 'airtime'"],
    ["/electricity/purchases", "orders where account_id = $1 and service = 'electricity'"],
    ["/wallet/topups", "topups where account_id = $1"],
    ["/sms/suppressions", "suppressions where account_id = $1"],
  ] as const)
    assert.equal((await all(path)).length, await counted(sql), path);
  const { rows } = await db.query<{ id: Uuid; total: number }>(
    "select id, total from order_groups where account_id = $1",
    [local],
  );
  for (const { id, total } of rows) {
    const { counts } = await get<{ counts: Record<string, number> }>(`/sms/bulk/${encodeId("blk", id)}`);
    assert.equal(
      Object.values(counts).reduce((sum, count) => sum + count, 0),
      total,
    );
  }
});

test("a request that is repeated with the key of before gets the answer of before, unless the key is over", async () => {
  const repeated = async (key: string, more = {}) => {
    const body = { to: "+2348031000001", message: "Your order is ready", ...more };
    const answer = await call<{ id: string }>("POST", "/sms/send", body, { "idempotency-key": key });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    return { id: answer.body.id, replayed: answer.headers.get("idempotent-replayed") };
  };
  assert.deepEqual(await repeated("sms-1", { reference: "delivered-1" }), {
    id: encodeId("msg", keyBefore.live),
    replayed: "true",
  });
  const anew = await repeated("sms-old");
  assert.equal(anew.replayed, null);
  assert.notEqual(anew.id, encodeId("msg", keyBefore.old));
});

test("cases of before are listed; one closes with its purchase, which an operator resolves, and one by its resolution", async () => {
  const list = async (...more: readonly string[]) =>
    (await afara(["cases", "list", ...more, "--json"])).json<{
      cases: readonly { id: string; kind: string; status: string; purchase: string | null }[];
    }>().cases;
  const open = await list();
  assert.deepEqual([...new Set(open.map(({ kind }) => kind))].sort(), CASES);
  const unknown = open.find(({ kind }) => kind === "outcome_unknown");
  const proof = ["--proof", "the vendor's support by phone: never delivered"];
  await waitFor("a moment in which no node is at it", async () => {
    const done = await afara(["orders", "resolve", unknown?.purchase ?? "", "--as", "failed", ...proof, "--json"]);
    return done.code === 0;
  });
  const doubt = open.find(({ kind }) => kind === "answer_in_doubt");
  assert.equal((await afara(["cases", "close", doubt?.id ?? "", "--resolution", "the rest was given"])).code, 0);
  const closed = (await list("--all")).filter(({ id }) => id === unknown?.id || id === doubt?.id);
  assert.deepEqual(
    closed.map(({ status }) => status),
    ["closed", "closed"],
  );
});

test("the command line lists every order", async () => {
  const list = await afara(["orders", "list", "--since", "2026-11-01", "--limit", "1000", "--json"]);
  assert.equal(list.code, 0, list.err);
  const listed = list.json<{ orders: readonly unknown[] }>().orders;
  assert.equal(listed.length, (await ordersNow()).length);
});

test("every transfer and all that an account keeps is as it was, and the ledger is in order", async () => {
  const now = new Set(await transfersNow());
  assert.deepEqual(
    transfersBefore.filter((transfer) => !now.has(transfer)),
    [],
  );
  for (const [index, [table, rows]] of (await rowsOf(KEPT)).entries())
    assert.ok(rows >= (keptBefore[index]?.[1] ?? 0), table);
  for (const proof of [
    ["ledger", "check"],
    ["audit", "verify"],
  ]) {
    const { code, out } = await afara(proof);
    assert.equal(code, 0, out);
  }
});
