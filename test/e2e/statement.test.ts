import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeyRecord } from "../../src/accounts/key-record.ts";
import { cursorKeyOf, encodeCursor } from "../../src/http/cursor.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { kobo, koboToNaira, parseKobo } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Bulk, type Money, type Problem, phone, startRig } from "./rig.ts";

const { gateway, db, secret, subscriber, provesItsLedger } = await startRig();

interface Line {
  readonly id: string;
  readonly object: string;
  readonly kind: string;
  readonly amount: Money;
  readonly held_change: Money;
  readonly order_id?: string;
  readonly bulk_id?: string;
  readonly reason?: string;
  readonly balance_after: Money;
  readonly held_after: Money;
  readonly available_after: Money;
}
interface Statement {
  readonly object: string;
  readonly data: readonly Line[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

const LIST = "/wallet/transactions";

/** Kobo of an amount with a sign. */
const signed = (naira: string): bigint => (naira.startsWith("-") ? -parseKobo(naira.slice(1)) : parseKobo(naira));

test("a message is a hold and a charge, each with its order and the wallet after it", async () => {
  const customer = await subscriber({ balance: "100.00" });
  const sent = await customer.send({ to: phone(1), message: "hello" });
  await customer.reached(sent.id, "delivered");
  const { body } = await customer.get<Statement>(LIST);
  const price = sent.price.amount;
  const left = (100 - Number(price)).toFixed(2);
  assert.deepEqual(
    body.data.map(({ kind, amount, held_change, order_id, balance_after, held_after, available_after }) => [
      kind,
      ...[amount, held_change].map((money) => money.amount),
      order_id,
      ...[balance_after, held_after, available_after].map((money) => money.amount),
    ]),
    [
      ["charge", `-${price}`, `-${price}`, sent.id, left, "0.00", left],
      ["hold", "0.00", price, sent.id, "100.00", price, left],
      ["credit", "100.00", "0.00", undefined, "100.00", "0.00", "100.00"],
    ],
  );
  assert.equal(body.data[2]?.reason, "what the test begins with");
});

test("every line has an id of its own, and the amounts add up to the balance, page by page and in the export", async () => {
  const customer = await subscriber({ balance: "100.00" });
  const sent = await customer.send({ to: phone(11), message: "kept" });
  const returned = await customer.send({ to: "+2348000000001", message: "never arrives" });
  const later = { to: phone(12), message: "still held", send_at: new Date(Date.now() + 3_600_000).toISOString() };
  const held = await customer.send(later);
  await customer.reached(sent.id, "delivered");
  await customer.ended(returned.id);
  const topup = await customer.post<{ id: string }>("/wallet/topups", { amount: "150.50", method: "link" });
  assert.equal(topup.status, 201);

  const lines: Line[] = [];
  for (let after = ""; ; ) {
    const { body } = await customer.get<Statement>(`${LIST}?limit=2${after}`);
    lines.push(...body.data);
    if (body.next_cursor === undefined) break;
    after = `&after=${body.next_cursor}`;
  }
  assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length);
  assert.deepEqual(lines.map(({ kind }) => kind).toSorted(), [
    "charge",
    "credit",
    ...["hold", "hold", "hold"],
    "return",
    "topup",
  ]);
  assert.deepEqual(
    lines.filter(({ kind }) => kind === "topup").map(({ id, amount }) => [id, amount.amount]),
    [[topup.body.id, "150.50"]],
  );
  assert.deepEqual((await customer.get<Statement>(`${LIST}?kind=topup`)).body.data.length, 1);
  assert.deepEqual((await customer.get<Statement>(`${LIST}?kind=credit`)).body.data.length, 1);

  let [balance, nowHeld] = [0n, 0n];
  for (const line of lines.toReversed()) {
    balance += signed(line.amount.amount);
    nowHeld += signed(line.held_change.amount);
    const after = [line.balance_after, line.held_after, line.available_after].map((money) => signed(money.amount));
    assert.deepEqual(after, [balance, nowHeld, balance - nowHeld]);
  }
  assert.equal(nowHeld, parseKobo(held.price.amount));
  const wallet = await customer.wallet();
  assert.deepEqual([balance, nowHeld], [wallet.balance, wallet.held]);

  const csv = await fetch(`${gateway.base}${LIST}`, { headers: { "x-api-key": customer.key, accept: "text/csv" } });
  const [head, ...rows] = (await csv.text()).trimEnd().split("\r\n");
  const amountAt = head!.split(",").indexOf("amount");
  assert.equal(
    rows.reduce((sum, row) => sum + signed(row.split(",")[amountAt]!), 0n),
    wallet.balance,
  );
});

test("a cursor from before the lines had signs is refused, and says to begin again", async () => {
  const customer = await subscriber();
  const request = {
    caller: { accountId: customer.accountId, mode: "test" } as unknown as KeyRecord,
    routeOptions: { url: LIST },
    server: { edge: { cursorKey: cursorKeyOf(secret) } },
  };
  const old = encodeCursor(request, newUuid(), {});
  const answer = await customer.get<Problem>(`${LIST}?after=${old}`);
  assertProblem(answer);
  assert.deepEqual([answer.status, answer.body.code], [400, "invalid_cursor"]);
  assert.match(answer.body.detail, /begin again without `after`/);
  const own = encodeCursor(request, newUuid(), { lines: 2 });
  assert.equal((await customer.get(`${LIST}?after=${own}`)).status, 200, "the test makes cursors as the gateway does");
});

test("HEAD of an export has its headers, and reads nothing", async () => {
  const customer = await subscriber();
  const answer = await fetch(`${gateway.base}${LIST}?format=csv`, {
    method: "HEAD",
    headers: { "x-api-key": customer.key },
  });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/csv/);
  assert.match(answer.headers.get("content-disposition") ?? "", /wallet\.csv/);
});

test("the statement is paged, filtered by kind, order and time, and a bulk's lines name the bulk", async () => {
  const customer = await subscriber();
  const refused = await customer.send({ to: "+2348000000001", message: "never arrives" });
  await customer.ended(refused.id);
  const bulk = await customer.post<Bulk>("/sms/bulk", { to: [phone(2), phone(3)], message: "to both" });
  for (const { id } of bulk.body.messages) await customer.reached(id, "delivered");

  const kinds = async (query: string) => {
    const { status, body } = await customer.get<Statement>(`${LIST}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map(({ kind }) => kind);
  };
  assert.deepEqual(await kinds(`order=${refused.id}`), ["return", "hold"]);
  assert.deepEqual(await kinds("kind=charge"), ["charge", "charge"]);
  assert.deepEqual(await kinds("kind=credit"), ["credit"]);
  assert.deepEqual(await kinds("created_before=2026-01-01T00:00:00Z"), []);
  assert.deepEqual(await kinds("order=msg_01kb3v9q4ze1xb8m6t2r5y7w0n"), []);
  const { body: all } = await customer.get<Statement>(LIST);
  assert.equal(all.data.filter(({ bulk_id }) => bulk_id === bulk.body.id).length, 4);

  const paged: Line[] = [];
  for (let after = ""; ; ) {
    const { body } = await customer.get<Statement>(`${LIST}?limit=2${after}`);
    paged.push(...body.data);
    if (!body.has_more) break;
    after = `&after=${body.next_cursor}`;
  }
  assert.deepEqual(paged, all.data);

  const { body: first } = await customer.get<Statement>(`${LIST}?limit=2`);
  const wrong = await customer.get<Problem>(`${LIST}?limit=2&kind=hold&after=${first.next_cursor}`);
  assertProblem(wrong);
  assert.equal(wrong.body.code, "invalid_cursor");
  const unknown = await customer.get<Problem>(`${LIST}?kind=gift`);
  assert.equal(unknown.body.code, "validation_failed");
});

test("the export has every line, by Accept or by ?format=csv, and no cell that a spreadsheet would run", async () => {
  const customer = await subscriber();
  const ids = await Promise.all(
    Array.from({ length: 30 }, (_, index) => customer.send({ to: phone(100 + index), message: "exported" })),
  );
  for (const { id } of ids) await customer.reached(id, "delivered");
  await db.query("update transfers set reason = '=HYPERLINK(\"x\")' where account_id = $1 and kind = 'credit'", [
    customer.accountId,
  ]);
  const read = async (path: string, accept?: string) => {
    const response = await fetch(`${gateway.base}${path}`, {
      headers: { "x-api-key": customer.key, ...(accept && { accept }) },
    });
    assert.match(response.headers.get("content-type") ?? "", /^text\/csv/);
    return response.text();
  };
  const text = await read(LIST, "text/csv");
  assert.equal(await read(`${LIST}?format=csv`), text);
  const rows = text.trimEnd().split("\r\n");
  assert.match(rows[0] ?? "", /^id,kind,at,amount,currency,order_id,/);
  assert.equal(rows.length, 1 + 61);
  assert.match(rows.at(-1) ?? "", /,"'=HYPERLINK\(""x""\)",/);
  assert.equal((await read(`${LIST}?format=csv&kind=charge`)).trimEnd().split("\r\n").length, 1 + 30);
});

test("nobody sees another account's lines", async () => {
  const [one, other] = [await subscriber(), await subscriber()];
  const sent = await one.send({ to: phone(7), message: "mine" });
  const { body } = await other.get<Statement>(`${LIST}?order=${sent.id}`);
  assert.deepEqual(body.data, []);
});

/** Of one segment to MTN, on the plan that all here are on. */
const priceOfOne = async () => {
  const customer = await subscriber();
  return parseKobo((await customer.send({ to: phone(9_999), message: "what does it cost?" })).price.amount);
};

test("200 sends at once against a wallet that pays for 50: 50 accepted, 150 times 402, and the wallet exactly zero", async () => {
  const price = await priceOfOne();
  const customer = await subscriber({ balance: koboToNaira(kobo(50n * price)) });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      customer.post<{ id: string; code?: string; price?: { amount: string } }>("/sms/send", {
        to: phone(1_000 + index),
        message: "one of two hundred",
      }),
    ),
  );
  const accepted = answers.filter(({ status }) => status === 202);
  assert.ok(accepted.every(({ body }) => body.price?.amount === koboToNaira(price)));
  assert.deepEqual([accepted.length, answers.filter(({ status }) => status === 402).length], [50, 150]);
  for (const { body } of accepted) await customer.reached(body.id, "delivered", 120_000);
  assert.deepEqual(await customer.wallet(), { balance: 0n, held: 0n, available: 0n });
  const { body } = await customer.get<Statement>(`${LIST}?limit=1`);
  assert.deepEqual([body.data[0]?.balance_after.amount, body.data[0]?.held_after.amount], ["0.00", "0.00"]);
});

test("50 sends at once with a key that may spend for 7: exactly 7, and the rest are told when it renews", async () => {
  const customer = await subscriber();
  const cap = kobo(8n * (await priceOfOne()) - 1n);
  const { rowCount } = await db.query("update api_keys set spend_cap_kobo = $2 where account_id = $1", [
    customer.accountId,
    cap,
  ]);
  assert.equal(rowCount, 1);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      customer.post<Problem & { quota?: string; limit_amount?: Money; remaining_amount?: Money }>("/sms/send", {
        to: phone(2_000 + index),
        message: "capped",
      }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 202).length, 7);
  const refused = answers.filter(({ status }) => status !== 202);
  for (const answer of refused) assertProblem(answer);
  assert.deepEqual(
    new Set(refused.map(({ body: { code, quota, limit_amount } }) => `${code} ${quota} ${limit_amount?.amount}`)),
    new Set([`quota_exceeded key-spend ${koboToNaira(cap)}`]),
  );
  const renewsAt = new Date(refused[0]!.body.renews_at ?? "");
  assert.equal(renewsAt.toISOString().slice(11), "23:00:00.000Z", "midnight in Lagos");
  assert.ok(renewsAt.getTime() > Date.now());
  const bulk = await customer.post<Problem>("/sms/bulk", { to: [phone(1), phone(2)], message: "not any more" });
  assert.equal(bulk.body.code, "quota_exceeded");
});

test("a wallet that falls below its account's threshold is told of once, within seconds", async () => {
  const customer = await subscriber({ balance: "10.00" });
  await db.query("update accounts set low_balance_kobo = 900 where id = $1", [customer.accountId]);
  const sent = await customer.send({ to: phone(3_000), message: "nearly empty" });
  const events = async () => {
    const { rows } = await db.query<{ sequence: number; detail: unknown }>(
      "select sequence, detail from events where account_id = $1 and type = 'wallet.low'",
      [customer.accountId],
    );
    return rows;
  };
  await waitFor("wallet.low", async () => (await events()).length > 0);
  await customer.reached(sent.id, "delivered");
  const available = (10 - Number(sent.price.amount)).toFixed(2);
  assert.deepEqual(await events(), [{ sequence: 1, detail: { available, threshold: "9.00" } }]);
});

provesItsLedger();
