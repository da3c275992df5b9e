import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import pg from "pg";
import { encodeId } from "../../src/kernel/ids.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { needs } from "../../src/testing/needs.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Bought, buy } from "./purchases.ts";
import { type Bulk, type Message, type Problem, phone, startRig } from "./rig.ts";

/** Somebody asks "where is my message, my token, my money?": what they know leads to the order, and to the line in the log. */

const ROOT = join(import.meta.dirname, "..", "..");
const rig = await startRig(undefined, { AFARA_LOG_LEVEL: "info" });
const afara = makeCli(rig.environment);
const customer = await rig.subscriber({
  balance: "100000.00",
  also: { electricity: "scale", airtime: "scale", cable: "scale" },
});
const other = await rig.subscriber({ balance: "1000.00" });

interface Listed {
  readonly id: string;
  readonly account: string;
  readonly service: string;
  readonly state: string;
  readonly recipient: string;
  readonly request: string | null;
  readonly bulk: string | null;
}

const list = async (...args: string[]): Promise<readonly Listed[]> => {
  const { code, json, err } = await afara(["orders", "list", "--json", ...args]);
  assert.equal(code, 0, err);
  return json<{ orders: readonly Listed[] }>().orders;
};
const idsOf = (orders: readonly { readonly id: string }[]) => orders.map(({ id }) => id);

/** `orders show`: one order, or the ids of a list. */
async function show(...what: string[]): Promise<string | readonly string[] | undefined> {
  const { code, json } = await afara(["orders", "show", ...what, "--json"]);
  const { order, orders } = json<{ order?: { id: string }; orders?: readonly Listed[] }>();
  assert.equal(code, order || orders ? 0 : 1);
  return order?.id ?? (orders && idsOf(orders));
}

interface Line {
  readonly request_id: string;
  readonly account?: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code?: string;
  readonly duration_ms: number;
  readonly order?: string;
}

/** The line of a request in the gateway's log, which is written beside the answer. */
const lineOf = (requestId: string | null): Promise<Line> =>
  waitFor(`the line of ${requestId}`, () => {
    const lines = rig.gateway.output().split("\n").slice(0, -1);
    const found = lines.filter((line) => line.includes(`"request_id":"${requestId}"`));
    assert.ok(found.length <= 1, found.join("\n"));
    return found[0] === undefined ? undefined : (JSON.parse(found[0]) as Line);
  });

let meters = 0;
const electricity = () => {
  meters += 1;
  return { meter_number: `1${String(4_200_000_000 + meters)}`, disco: "ikeja-electric", amount: 2_000 };
};

test("an accepted message is one line with its order, and the order keeps the request's id", async () => {
  const to = phone(4_201);
  const { body, headers } = await customer.post<Message>("/sms/send", { to, message: "Where is it?" });
  const requestId = headers.get("request-id");
  assert.partialDeepStrictEqual(await lineOf(requestId), {
    account: encodeId("acc", customer.accountId),
    method: "POST",
    route: "/sms/send",
    status: 202,
    order: body.id,
  });
  await customer.ended(body.id);
  assert.deepEqual(await list("--request", String(requestId)), await list("--to", to));
  assert.equal(await show(String(requestId)), body.id);
  const { json } = await afara(["orders", "show", body.id, "--json"]);
  assert.equal(json<{ order: { request: string } }>().order.request, requestId);
});

test("a repeat's line names the order, which keeps the id of the request that made it", async () => {
  const send = () => customer.post<Message>("/sms/send", { to: phone(4_202), message: "Once", reference: "support-1" });
  const first = await send();
  const repeat = await send();
  assert.equal(repeat.headers.get("idempotent-replayed"), "true");
  assert.equal((await lineOf(repeat.headers.get("request-id"))).order, first.body.id);
  const [order] = await list("--reference", "support-1");
  assert.equal(order?.request, first.headers.get("request-id"));
  const { out } = await afara(["orders", "list", "--request", String(repeat.headers.get("request-id"))]);
  assert.match(out, /req_\w+ made no order that is here\./);
});

test("a refused request is one line with account, code and the order that it is about", async () => {
  const body = { to: phone(4_202), message: "Something else", reference: "support-1" };
  const { request_id: taken, order_id: holder } = await customer.refused(body);
  assert.partialDeepStrictEqual(await lineOf(taken), {
    account: encodeId("acc", customer.accountId),
    status: 409,
    code: "reference_already_used",
    order: holder,
  });
  const missing = await rig.gateway.call<Problem>("POST", "/sms/send", body, { "x-api-key": "" });
  assert.partialDeepStrictEqual(await lineOf(missing.body.request_id), { status: 401, code: "missing_api_key" });
  const path = await customer.get<Problem>(`/sms/${encodeURIComponent(phone(4_299))}`);
  assert.equal((await lineOf(path.body.request_id)).code, "unknown_endpoint");
});

test("a bulk's line names the bulk, and its request leads to all of its messages", async () => {
  const to = [phone(4_203), phone(4_204), phone(4_205)];
  const { body, headers } = await customer.post<Bulk>("/sms/bulk", { to, message: "All", reference: "support-bulk" });
  const requestId = String(headers.get("request-id"));
  assert.equal((await lineOf(requestId)).order, body.id);
  const made = idsOf(body.messages).toSorted();
  assert.deepEqual(idsOf(await list("--request", requestId)).toSorted(), made);
  assert.deepEqual(idsOf(await list("--reference", "support-bulk")).toSorted(), made);
  assert.deepEqual(((await show(body.id)) as string[]).toSorted(), made);
  assert.equal((await list("--to", to[0]!))[0]?.bulk, body.id);
});

test("a phone in any Nigerian form leads to what was sent to it, and to electricity whose token went to it", async () => {
  const to = "+2348039994206";
  const message = await customer.send({ to, message: "To a phone" });
  const { body } = await buy(customer, "/electricity/purchase", { ...electricity(), to, notify: { channel: "sms" } });
  const notice = await waitFor("the customer's message", async () => {
    const { body: purchase } = await customer.get<Bought>(`/electricity/status/${body.id}`);
    return purchase.notify?.message_id;
  });
  const all = [notice, body.id, message.id].toSorted();
  for (const form of [
    "+2348039994206",
    "08039994206",
    "2348039994206",
    "0803 999 4206",
    "(0803) 999-4206",
    "8039994206",
  ]) {
    assert.deepEqual(idsOf(await list("--to", form)).toSorted(), all, form);
    assert.deepEqual(((await show(...form.split(" "))) as string[]).toSorted(), all, form);
  }
  const { json } = await afara(["orders", "show", body.id, "--json"]);
  assert.equal(json<{ order: { notice: string } }>().order.notice, notice);
});

test("a meter leads to its purchases, whichever account made them", async () => {
  const order = electricity();
  const first = await buy(customer, "/electricity/purchase", { ...order, to: phone(4_207) });
  const second = await buy(customer, "/electricity/purchase", { ...order, amount: 3_000, to: phone(4_208) });
  assert.deepEqual(idsOf(await list("--meter", order.meter_number)), [second.body.id, first.body.id]);
  assert.deepEqual(idsOf(await list("--meter", order.meter_number, "--to", phone(4_207))), [first.body.id]);
  assert.deepEqual(await show(order.meter_number.replace(/(\d{4})/, "$1 ")), [second.body.id, first.body.id]);
});

test("a reference, an Idempotency-Key, a line of the statement and the vendors' own numbers lead to the order", async () => {
  const { body } = await customer.post<Message>(
    "/sms/send",
    { to: phone(4_209), message: "By its names", reference: "support-names" },
    { "idempotency-key": "support-key-1" },
  );
  await customer.ended(body.id);
  assert.equal(await show("support-names"), body.id);
  assert.equal(await show("support-key-1"), body.id);
  const { json } = await afara(["orders", "show", body.id, "--json"]);
  const { pieces, order } = json<{ pieces: { reference: string }[]; order: { uuid: string } }>();
  assert.equal(await show(pieces[0]!.reference), body.id);
  assert.equal(await show(order.uuid), body.id);
  const statement = await customer.get<{ data: { id: string; order_id?: string }[] }>("/wallet/transactions");
  const lines = statement.body.data.filter(({ order_id: of }) => of === body.id);
  assert.equal(lines.length, 2, "its hold and its charge");
  for (const { id } of lines) assert.equal(await show(id), body.id);
  const bought = await buy(customer, "/airtime/topup", { to: phone(4_210), amount: 100 });
  const purchase = (await afara(["orders", "show", bought.body.id, "--json"])).json<{
    attempts: { reference: string }[];
  }>();
  assert.equal(await show(purchase.attempts[0]!.reference), bought.body.id);
});

test("a top-up is shown by its id and says that it is of no order, and so is any other line without one", async () => {
  const made = await customer.post<{ id: string }>("/wallet/topups", { amount: "150.00", method: "link" });
  const { code, out, json } = await afara(["orders", "show", made.body.id, "--json"]);
  assert.equal(code, 0, out);
  const { line } = json<{ line: Record<string, unknown> }>();
  assert.deepEqual([line.id, line.kind, line.amount], [made.body.id, "topup", "150.00"]);
  const { out: text } = await afara(["orders", "show", made.body.id]);
  assert.match(text, /topup[\s\S]*It is of no order\./);
  const request = String(made.headers.get("request-id"));
  assert.match(
    (await afara(["orders", "list", "--request", request])).out,
    /Top-ups, settings and questions make none/,
  );
});

for (const first of ["0", "7"])
  test(`a request's id of any time that an id can have is answered plainly: req_${first}…`, async () => {
    const id = `req_${first}${(first === "0" ? "0" : "z").repeat(25)}`;
    const { code, out, err } = await afara(["orders", "list", "--request", id]);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /made no order that is here/);
    assert.match((await afara(["orders", "show", id])).out, /There is no order/);
  });

test("an argument that is empty is refused like an option that is", async () => {
  for (const args of [
    ["orders", "show", ""],
    ["cases", "show", ""],
  ]) {
    const { code, err } = await afara(args);
    assert.equal(code, 2);
    assert.match(err, /has an empty value\. Is its variable set\?/);
  }
});

test("filters are taken together, and a list says when there is more", async () => {
  const to = phone(4_211);
  const mine = [await customer.send({ to, message: "1" }), await customer.send({ to, message: "2" })];
  const theirs = await other.send({ to, message: "3" });
  await Promise.all([...mine.map(({ id }) => customer.ended(id)), other.ended(theirs.id)]);
  const account = encodeId("acc", customer.accountId);
  const newest = [mine[1]!.id, mine[0]!.id];
  assert.deepEqual(idsOf(await list("--to", to)), [theirs.id, ...newest]);
  assert.deepEqual(idsOf(await list("--to", to, "--account", account)), newest);
  assert.deepEqual(
    idsOf(await list("--account", account, "--to", to, "--status", "delivered", "--since", "1h")),
    newest,
  );
  assert.deepEqual(await list("--to", to, "--status", "failed"), []);
  assert.deepEqual(await list("--to", to, "--service", "airtime"), []);
  assert.deepEqual(await list("--to", to, "--mode", "live"), []);
  assert.deepEqual(await list("--to", to, "--until", "1h"), []);
  assert.ok((await list("--since", "1h")).length > 3);
  const { json, out } = await afara(["orders", "list", "--to", to, "--limit", "1", "--json"]);
  assert.equal(json<{ has_more: boolean }>().has_more, true);
  assert.deepEqual(idsOf(JSON.parse(out).orders), [theirs.id]);
  const people = await afara(["orders", "list", "--to", to, "--limit", "2"]);
  assert.match(people.out, /^ORDER +CREATED +STATUS +TO\n/);
  assert.match(people.out, /The newest 2; there are more\./);
  for (const text of ["1", "2", "3"]) assert.ok(!people.out.includes(`"${text}"`));
});

test("a filter that can't be meant says what can be", async () => {
  for (const [args, says] of [
    [["--status", "deliverd"], /--status: "deliverd" is no status\. Did you mean delivered\? There are: /],
    [["--service", "electric"], /--service: "electric" is no service\. Did you mean electricity\?/],
    [["--to", "12"], /--to: This is not a valid phone number/],
    [["--meter", "x"], /--meter: A meter number has 6 to 20 digits/],
    [["--request", "msg_1"], /"msg_1" is not the id of a request \(req_…\)/],
    [["--account", "x"], /"x" is not an account's id/],
    [["--since", "soon"], /Give an age /],
    [["--since", "7"], /Give a number with its unit/],
    [["--since", "1h", "--until", "2h"], /--since \(.*\) must be before --until/],
    [["--limit", "0"], /Give a number from 1 to/],
  ] as const) {
    const { code, err } = await afara(["orders", "list", ...args]);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, says);
  }
  const none = await afara(["orders", "show", "nobody-knows-this"]);
  assert.equal(none.code, 1);
  assert.match(none.out, /There is no order nobody-knows-this\. It was looked for as/);
  const account = await afara(["orders", "show", encodeId("acc", customer.accountId)]);
  assert.equal(account.code, 2);
  assert.match(account.err, /is an account: \.\/afara orders list --account/);
});

test("what takes too long is given up, and says how to narrow it", async () => {
  const blocker = new pg.Client({ connectionString: rig.environment.DATABASE_URL });
  await blocker.connect();
  await blocker.query("begin");
  await blocker.query("lock table accounts in access exclusive mode");
  try {
    const { code, err } = await afara(["orders", "list", "--status", "failed"]);
    assert.equal(code, 2);
    assert.match(err, /took longer than 5 s and was given up.*Say more: --account/);
  } finally {
    await blocker.query("rollback");
    await blocker.end();
  }
});

test("no line of the log has a phone, a meter, a text, a reference or a key", async () => {
  await customer.handset(phone(4_201));
  await customer.get(`/chat/window/${encodeURIComponent(phone(4_201))}`);
  const last = await customer.get("/limits");
  await lineOf(last.headers.get("request-id"));
  const lines = rig.gateway
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  assert.ok(lines.some((line) => line.includes('"route":"/test/handsets/{phone}"')));
  for (const said of [/803\d{7}/, /1420000\d{4}/, /Where is it/, /support-/, /afara_(live|test)_/])
    assert.deepEqual(
      lines.filter((line) => said.test(line.replaceAll(/_[0-9a-z]{26}/g, ""))),
      [],
      String(said),
    );
});

test("the page for whoever is asked where something is does what it says, pasted in one go", {
  skip: needs("curl"),
}, async () => {
  const page = await readFile(join(ROOT, "docs", "operations", "where-is-my-order.md"), "utf8");
  const script = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block).join("");
  const own = script
    .replace("http://localhost:8080", rig.gateway.base)
    .replace("$(cat data/test-key)", customer.key)
    .replace("PHONE=08031234567", "PHONE=08031994212");
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...rig.environment, PATH: path };
  const { stdout } = await promisify(execFile)("sh", ["-euc", own], { cwd: ROOT, env });
  assert.match(stdout, /^ORDER +msg_/m);
  assert.equal(stdout.match(/^ORDER +pur_/gm)?.length, 2);
  assert.match(stdout, /^RECIPIENT +10000000001\nDISCO +ikeja-electric\nMETER TYPE +prepaid\nPHONE +\+2348031994212$/m);
  assert.match(stdout, /^RECIPIENT +1212121212\nPROVIDER +dstv\nKIND +renew\nPHONE +\+2348031994212$/m);
  assert.match(stdout, /^REQUEST +req_/m);
  assert.match(stdout, /The ledger is in order\./);
  assert.ok(!stdout.includes("made no order"), stdout);
});

rig.provesItsLedger();
