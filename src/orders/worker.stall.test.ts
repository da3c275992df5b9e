import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOpenCases } from "../cases/open-cases.ts";
import { correlationOf, type ProviderTask } from "../ports/provider.ts";
import { smpp } from "../providers/smpp/index.ts";
import { REAL_CLOCK, smsTask, testSettings } from "../providers/smpp/test-rig.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { standStill, startSmscThread } from "../testing/smsc-thread.ts";
import { waitFor } from "../testing/wait-for.ts";

/** A gateway that stands still (a long computation, a frozen process) while its vendor goes on answering. */

const database = await makeTestDatabase();
const db = database.open();

/** An engine at an SMSC that goes on while this thread is blocked. */
async function startAt(
  t: Parameters<typeof startEngine>[0],
  smscOptions: { answerAfterMs: number; receiptAfterMs?: number },
  settings: object,
  engineOptions = {},
) {
  const smsc = await startSmscThread(smscOptions);
  t.after(() => smsc.close());
  const name = `smsc-${smsc.port}`;
  const built = smpp.build(name, testSettings(smsc.port, { windowSize: 100, ...settings }), {
    clock: REAL_CLOCK,
    log: SILENT,
    fetch,
  });
  assert.ok(built.ok);
  const engine = await startEngine(t, db, [built.value], engineOptions);
  await waitFor("a bind", () => built.value.ready());
  return { smsc, engine };
}

const message = (accountId: Awaited<ReturnType<typeof makeCustomer>>, ambiguity: "fail" | "retry", index: number) =>
  newOrder(accountId, {
    ambiguity,
    recipient: `23480312${String(index).padStart(5, "0")}`,
    payload: smsTask("Hello").payload,
  });

const statesOf = async (accountId: string): Promise<Readonly<Record<string, number>>> => {
  const { rows } = await db.query<{ state: string; orders: number }>(
    "select state, count(*)::int as orders from orders where account_id = $1 group by 1",
    [accountId],
  );
  return Object.fromEntries(rows.map(({ state, orders }) => [state, orders]));
};

for (const ambiguity of ["fail", "retry"] as const)
  test(`three seconds without a turn of the loop lose no answer: all is delivered, nothing goes back (${ambiguity})`, async (t) => {
    // Test mode's time limit, below the stall.
    const { smsc, engine } = await startAt(t, { answerAfterMs: 300, receiptAfterMs: 50 }, { responseTimeoutMs: 2_000 });
    const accountId = await makeCustomer(db);
    const orders = Array.from({ length: 200 }, (_, index) => message(accountId, ambiguity, index));
    await Promise.all(orders.map((order) => accept(engine, order)));
    await waitFor("submits without an answer", () => smsc.submits > smsc.answered);
    await standStill(3_000);
    await waitFor("the end of all", async () => (await statesOf(accountId)).delivered === orders.length);
    assert.equal(smsc.submits, orders.length, "each was submitted once");
    const { rows } = await db.query("select 1 from events where account_id = $1 and status in ('unknown', 'failed')", [
      accountId,
    ]);
    assert.deepEqual(rows, []);
    const { rows: voided } = await db.query("select 1 from transfers where account_id = $1 and state = 'voided'", [
      accountId,
    ]);
    assert.deepEqual(voided, []);
    assert.deepEqual(await engineFindings(database.connection), []);
  });

for (const ambiguity of ["fail", "retry"] as const)
  test(`a stall longer than the lease makes nothing unknown that was sent, nor is it sent again (${ambiguity})`, async (t) => {
    const { smsc, engine } = await startAt(
      t,
      { answerAfterMs: 300, receiptAfterMs: 50 },
      { responseTimeoutMs: 1_000 },
      { leaseSeconds: 2 },
    );
    const accountId = await makeCustomer(db);
    const orders = Array.from({ length: 30 }, (_, index) => message(accountId, ambiguity, index));
    await Promise.all(orders.map((order) => accept(engine, order)));
    await waitFor("all submits", () => smsc.submits === orders.length);
    await standStill(4_000);
    await waitFor("the end of all", async () => (await statesOf(accountId)).delivered === orders.length);
    assert.equal(smsc.submits, orders.length, "each was submitted once");
    const { rows } = await db.query("select 1 from events where account_id = $1 and status in ('unknown', 'failed')", [
      accountId,
    ]);
    assert.deepEqual(rows, []);
    assert.deepEqual(await engineFindings(database.connection), []);
  });

for (const ambiguity of ["fail", "retry"] as const)
  test(`an answer after the time limit goes to its order with its reference, so that the receipt finds it (${ambiguity})`, async (t) => {
    const { engine } = await startAt(t, { answerAfterMs: 350, receiptAfterMs: 50 }, { responseTimeoutMs: 200 });
    const accountId = await makeCustomer(db);
    const orders = Array.from({ length: 20 }, (_, index) => message(accountId, ambiguity, index));
    await Promise.all(orders.map((order) => accept(engine, order)));
    await waitFor("the end of all", async () => (await statesOf(accountId)).delivered === orders.length);
    assert.deepEqual(await engineFindings(database.connection), []);
  });

test("of a message in parts, one that was answered late is not sent again, and its receipt finds it", async (t) => {
  const carrier = new ScriptedProvider("parts-late");
  carrier.pieces = 3;
  const heard: ProviderTask[] = [];
  carrier.answers((task, piece) => {
    if (piece !== 1 || heard.length > 0) return carrier.accept(task, piece);
    heard.push(task);
    // The SMSC answers after all, right after it was given up.
    task.answeredLate?.(1, carrier.accept(task, 1));
    return { kind: "unknown", detail: "no answer in time" };
  });
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity: "fail" }));
  await waitForState(db, order, "sent");
  assert.deepEqual(carrier.sent.map(({ piece }) => piece).sort(), [0, 1, 2]);
  for (const piece of [0, 1, 2])
    await carrier.report({
      providerReference: carrier.referenceOf({ orderId: order.id, attempt: 1 }, piece),
      status: "delivered",
    });
  await waitForState(db, order, "delivered");
});

test("a late answer to one of two lost parts is kept, though it does not decide the message", async (t) => {
  const carrier = new ScriptedProvider("two-parts-late");
  carrier.pieces = 3;
  let task: ProviderTask | undefined;
  carrier.answers((asked, piece) => {
    task = asked;
    return piece === 0 ? carrier.accept(asked, piece) : { kind: "unknown", detail: "no answer in time" };
  });
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity: "fail" }));
  await waitForState(db, order, "unknown");
  task?.answeredLate?.(2, carrier.accept(task, 2));
  task?.answeredLate?.(1, carrier.accept(task, 1));
  const sent = await waitForState(db, order, "sent");
  assert.deepEqual(
    sent.pieces?.map(({ status }) => status),
    ["taken", "taken", "taken"],
  );
  assert.deepEqual(await engineFindings(database.connection), []);
});

const transfersOf = async (order: { readonly id: string }) => {
  const { rows } = await db.query<{ kind: string; state: string }>(
    "select kind, state from transfers where order_id = $1 order by kind",
    [order.id],
  );
  return rows.map(({ kind, state }) => `${kind} ${state}`);
};

for (const [what, speak] of [
  ["an answer", (carrier, task) => task.answeredLate?.(0, carrier.accept(task, 0))],
  [
    "a receipt that echoes what was sent with it",
    (carrier, task) =>
      void carrier.report({
        providerReference: carrier.referenceOf(task, 0),
        recipient: task.recipient,
        correlation: correlationOf(task.orderId, task.attempt, 0),
        status: "delivered",
      }),
  ],
] as const satisfies readonly (readonly [string, (carrier: ScriptedProvider, task: ProviderTask) => void])[])
  test(`${what}, after the message had failed and its money gone back, is our loss, once, and a case`, async (t) => {
    const carrier = new ScriptedProvider(`returned-${what.length}`);
    let task: ProviderTask | undefined;
    carrier.answers((asked) => {
      task = asked;
      return { kind: "unknown", detail: "no answer in time" };
    });
    const engine = await startEngine(t, db, [carrier]);
    const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity: "fail" }));
    await waitForState(db, order, "failed");
    assert.deepEqual(await transfersOf(order), ["hold voided"]);
    speak(carrier, task!);
    await waitFor("the loss", async () => (await transfersOf(order)).length === 2);
    await carrier.report({ providerReference: carrier.referenceOf(task!, 0), status: "delivered" });
    assert.deepEqual(await transfersOf(order), ["hold voided", "loss posted"]);
    assert.equal((await waitForState(db, order, "failed")).state, "failed", "an end stays");
    await makeOpenCases({ db, clock: REAL_CLOCK, log: SILENT, services: [], idPrefixes: new Map() })();
    const { rows } = await db.query<{ kind: string }>("select kind from cases where order_id = $1", [order.id]);
    assert.deepEqual(rows, [{ kind: "late_success" }]);
    assert.deepEqual(await engineFindings(database.connection), []);
  });

test("a receipt that echoes nothing is not taken for that of a message which has failed", async (t) => {
  const carrier = new ScriptedProvider("returned-guess");
  carrier.answers(() => ({ kind: "unknown", detail: "no answer in time" }));
  const engine = await startEngine(t, db, [carrier]);
  const order = await accept(engine, newOrder(await makeCustomer(db), { ambiguity: "fail" }));
  await waitForState(db, order, "failed");
  await carrier.report({ providerReference: "another's", recipient: order.recipient, status: "delivered" });
  assert.deepEqual(await transfersOf(order), ["hold voided"]);
});
