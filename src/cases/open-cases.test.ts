import assert from "node:assert/strict";
import { after, test } from "node:test";
import { checkSecret } from "../accounts/secret.ts";
import { ID_PREFIXES } from "../app/services.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { readTransfers } from "../ledger/ledger.repo.ts";
import { findOrder } from "../orders/orders.repo.ts";
import { hintOrder } from "../orders/reports.repo.ts";
import { makeCli } from "../testing/cli.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { clockAhead, listeningLog, RIG_SECRET, startPurchases } from "../testing/purchases-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeOpenCases } from "./open-cases.ts";

const rig = await startPurchases();
const { db, database } = rig;
const data = await makeDataDir();
after(() => data.remove());
const afara = makeCli({ AFARA_DATA_DIR: data.dir, DATABASE_URL: database.url, USER: "ada" });

const THREE_MINUTES_MS = 180_000;
const { log, errors } = listeningLog();
const services = ["airtime", "electricity"];
const openCases = makeOpenCases({ db, clock: clockAhead(THREE_MINUTES_MS), log, services, idPrefixes: ID_PREFIXES });

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly purchase: string;
  readonly status: string;
  readonly resolution: string | null;
  readonly evidence: Readonly<Record<string, unknown>>;
}
async function casesOf(order: { readonly id: string }): Promise<readonly Shown[]> {
  const { cases } = (await afara(["cases", "list", "--all", "--json"])).json<{ cases: readonly Shown[] }>();
  return cases.filter(({ purchase }) => purchase === encodeId("pur", order.id as never));
}
const resolve = (id: string, as: string, proof = "VTpass support by phone, 10:42") =>
  afara(["orders", "resolve", id, "--as", as, "--proof", proof, "--json"]);
const moneyOf = async (order: Parameters<typeof findOrder>[2]) =>
  (await readTransfers(db, rig.accountId, order)).map(({ kind, state }) => `${kind} ${state}`);
/** No node is at it, and none will be for a while. */
async function letRest(order: { readonly id: string }): Promise<void> {
  await waitFor("an order that nobody holds", async () => {
    const { rowCount } = await db.query(
      "update orders set due_at = null, later_at = now() + interval '1 hour' where id = $1 and leased_until is null",
      [order.id],
    );
    return rowCount === 1;
  });
}
async function undecided() {
  await rig.vendors.scenario("vtpass", "pending_forever");
  const order = await rig.buy("vtpass", "processing");
  await waitFor("an answer", async () => ((await findOrder(db, rig.accountId, order.id))?.tries ?? 0) > 1);
  await letRest(order);
  return order;
}

test("a purchase whose outcome nobody knows for too long is one case with its evidence, however many nodes look", async () => {
  const order = await undecided();
  await makeOpenCases({ db, clock: clockAhead(60_000), log, services, idPrefixes: ID_PREFIXES })();
  assert.deepEqual(await casesOf(order), [], "not before its time");

  await Promise.all([openCases(), openCases(), openCases()]);
  await openCases();
  const [found, ...more] = await casesOf(order);
  assert.deepEqual([found?.kind, found?.status, more], ["outcome_unknown", "open", []]);
  const attempts = found?.evidence.attempts as readonly { reference: string }[];
  assert.match(attempts[0]!.reference, /^\d{12}/);
  assert.partialDeepStrictEqual(found?.evidence, { route: "vtpass-simulator", price: "500.00", state: "processing" });
  assert.deepEqual(errors, ["a case is open: see ./afara cases list"]);

  const list = await afara(["cases", "list"]);
  assert.equal(list.code, 1);
  assert.match(list.out, new RegExp(`${found!.id}\\s+outcome_unknown .*\\n +pur_\\w+; vtpass-simulator\\s+\\d{12}`));
  assert.match(
    (await afara(["cases", "show", found!.id])).out,
    /ATTEMPT +BEGUN AT +ROUTE\n1 .* vtpass-simulator\n {4}\d{12}\w+\n\nAT +STATUS\n.* processing\n {4}taken; no end is told\n/,
  );

  const closing = await afara(["cases", "close", found!.id, "--resolution", "no longer wanted", "--json"]);
  assert.match(closing.json<{ detail: string }>().detail, /still processing, and its money is held/);
});

test("a token in a proof is kept nowhere in the clear: not in the timeline, the case or the audit log", async () => {
  const order = await undecided();
  await openCases();
  const id = encodeId("pur", order.id);
  assert.equal((await resolve(id, "successful", "VTpass: delivered, token 1234-5678-9012-3456-7890")).code, 0);
  const { rows } = await db.query<{ reason: string }>("select reason from audit_log where subject = $1", [id]);
  const kept = [
    (await afara(["orders", "show", id, "--json"])).out,
    (await casesOf(order))[0]?.resolution,
    rows[0]?.reason,
  ];
  for (const text of kept) {
    assert.match(text ?? "", /VTpass: delivered, token \*{4} \*{4} \*{4} \*{4} 7890/);
    assert.doesNotMatch(text ?? "", /1234-5678/);
  }
});

test("a successful purchase that its vendor took back without a word is resolved as reversed, once, and our price is refunded", async () => {
  const order = await rig.buy("buypower", "successful");
  const id = encodeId("pur", order.id);
  const { code, json } = await resolve(id, "reversed", "BuyPower, statement of October: reversed");
  assert.deepEqual([code, json()], [0, { ok: true, id, state: "reversed", previous_state: "successful" }]);
  assert.deepEqual((await moneyOf(order.id)).sort(), ["hold posted", "refund posted"]);
  assert.equal((await resolve(id, "reversed")).code, 1);
  const failed = await resolve(encodeId("pur", (await rig.buy("vtpass", "successful")).id), "failed");
  assert.match(failed.json<{ detail: string }>().detail, /has ended as successful, and an end stays/);
  assert.equal((await afara(["ledger", "check"])).code, 0);
});

for (const [as, money] of [
  ["successful", "posted"],
  ["failed", "voided"],
] as const)
  test(`a purchase in doubt is resolved as ${as} with a proof: its hold is ${money}, and its case closes`, async () => {
    const order = await undecided();
    await openCases();
    const id = encodeId("pur", order.id);
    assert.equal((await resolve(id, as, " ")).code, 1, "not without a proof");
    assert.equal((await casesOf(order))[0]?.status, "open");

    const { code, json } = await resolve(id, as);
    assert.deepEqual([code, json()], [0, { ok: true, id, state: as, previous_state: "processing" }]);
    assert.deepEqual(await moneyOf(order.id), [`hold ${money}`]);
    assert.partialDeepStrictEqual(await casesOf(order), [
      { status: "closed", resolution: `resolved as ${as}: VTpass support by phone, 10:42` },
    ]);
    const failure = (await findOrder(db, rig.accountId, order.id))?.facts?.failure as { code: string } | undefined;
    assert.equal(failure?.code, as === "failed" ? "vendor_failed" : undefined);
    assert.match((await resolve(id, "failed")).json<{ detail: string }>().detail, /and an end stays/);
    assert.equal((await afara(["ledger", "check"])).code, 0);
  });

test("what an operator resolved as failed and the vendor delivers after all is booked as a loss, once, and is a case", async () => {
  await rig.vendors.scenario("vtpass", "pending_then_delivered", { afterMs: 4_000 });
  const order = await rig.buy("vtpass", "processing");
  const begun = await waitFor("an answer", async () => {
    const now = await findOrder(db, rig.accountId, order.id);
    return now && now.tries > 0 ? now : undefined;
  });
  await letRest(order);
  assert.equal((await resolve(encodeId("pur", order.id), "failed")).code, 0);

  const lost = () => moneyOf(order.id).then((money) => money.includes("loss posted"));
  await waitFor("the loss", async () => {
    await hintOrder(db, "vtpass-simulator", begun.attemptReference!);
    return lost();
  });
  assert.deepEqual((await moneyOf(order.id)).sort(), ["hold voided", "loss posted"]);
  await openCases();
  await openCases();
  const [found, ...more] = await casesOf(order);
  assert.deepEqual([found?.kind, found?.evidence.lost, more], ["late_success", "500.00", []]);
  const answers = found?.evidence.last_answers as { said: string }[];
  assert.ok(answers.some(({ said }) => said === "delivered, after the money had gone back"));

  const settled = await afara([
    "cases",
    "close",
    found!.id,
    "--resolution",
    "the subscriber paid it: 12345678901234567890",
  ]);
  assert.equal(settled.code, 0);
  const again = await afara(["cases", "close", found!.id, "--resolution", "once more", "--json"]);
  assert.match(again.json<{ detail: string }>().detail, /closed already: the subscriber paid it/);
  await openCases();
  assert.equal((await casesOf(order)).length, 1, "a closed case stays closed");
  const { rows } = await db.query("select actor, action, subject, reason from audit_log order by number desc limit 1");
  assert.deepEqual(rows, [
    {
      actor: "ada",
      action: "case.close",
      subject: found!.id,
      reason: "the subscriber paid it: **** **** **** **** 7890",
    },
  ]);
  assert.equal((await afara(["ledger", "check"])).code, 0);
});

test("a case about an unknown outcome closes by itself once the vendor knows", async () => {
  await rig.vendors.scenario("vtpass", "pending_then_delivered", { afterMs: 1_500 });
  const order = await rig.buy("vtpass", "processing");
  await waitFor("the first answer", async () => ((await findOrder(db, rig.accountId, order.id))?.tries ?? 0) > 0);
  await openCases();
  assert.equal((await casesOf(order))[0]?.status, "open");
  await waitFor("success", async () => (await findOrder(db, rig.accountId, order.id))?.state === "successful");
  await openCases();
  assert.partialDeepStrictEqual(await casesOf(order), [
    { status: "closed", resolution: "the vendor's answer came: it has ended as successful" },
  ]);
});

test("a top-up that came short is told in the purchase, and is a case whose answer an operator can read", async () => {
  await rig.vendors.scenario("reloadly", "delivered_short");
  const order = await rig.buy("reloadly", "successful");
  assert.equal(order.facts?.delivered_amount, "455.00");
  assert.deepEqual(await moneyOf(order.id), ["hold posted"]);
  await Promise.all([openCases(), openCases()]);
  const [found, ...more] = await casesOf(order);
  assert.deepEqual([found?.kind, found?.status, more], ["answer_in_doubt", "open", []]);
  assert.match(String(found?.evidence.why), /^₦455\.00 of ₦500\.00 was delivered/);
  assert.match((await afara(["cases", "show", found!.id])).out, /\nWHY +₦455\.00 of/);
});

test("half a key change is a case at once, its tokens stand nowhere in the clear, and an operator who reads them is written down", async () => {
  await rig.vendors.scenario("buypower", "half_key_change");
  const order = await rig.buy("buypower", "token_pending");
  await openCases();
  const [found] = await casesOf(order);
  assert.equal(found?.kind, "answer_in_doubt");
  assert.match(
    String(found?.evidence.why),
    /^half a key change came, which no meter takes; what may be a token was not taken: /,
  );
  const purchase = (await afara(["orders", "show", encodeId("pur", order.id)])).out;
  assert.match(purchase, new RegExp(`IN DOUBT +the vendor's answer .*\\./afara cases show ${found!.id} --answer`));
  assert.match(purchase, new RegExp(`\\n${found!.id} +open +answer_in_doubt\\n +half a key change`));
  const { cases } = (await afara(["orders", "show", order.id, "--json"])).json<{ cases: readonly object[] }>();
  assert.partialDeepStrictEqual(cases, [{ id: found!.id, kind: "answer_in_doubt", status: "open" }]);
  assert.equal((await afara(["cases", "show", found!.id, "--answer"])).code, 2, "without the gateway's secret");

  await checkSecret(db, RIG_SECRET);
  const own = makeCli({ AFARA_DATA_DIR: data.dir, DATABASE_URL: database.url, USER: "ada", AFARA_SECRET: RIG_SECRET });
  const seen = await own(["cases", "show", found!.id, "--answer", "--json"]);
  const { answer } = seen.json<{ case: { answer: string } }>().case;
  // The sale's own answer, or the query's a moment later, which wraps the same.
  interface Sold {
    readonly data: { readonly parcels: readonly { readonly type: string; readonly content: string }[] };
  }
  const said = JSON.parse(answer) as Sold | { readonly result: Sold };
  const { parcels } = ("result" in said ? said.result : said).data;
  assert.deepEqual(parcels.map(({ type }) => type).sort(), ["KCT1", "TOKEN"]);
  const digits = parcels.map(({ content }) => content.replaceAll("-", ""));

  const { rows } = await db.query<{ row: string }>(
    `select row_to_json(o)::text as row from orders o where id = $1
     union all select row_to_json(c)::text from cases c where order_id = $1
     union all select row_to_json(e)::text from events e where order_id = $1
     union all select row_to_json(a)::text from audit_log a`,
    [order.id],
  );
  const stored = rows.map(({ row }) => row).join("\n");
  for (const token of digits) assert.ok(!stored.replaceAll(/[^\d]/g, "").includes(token));
  assert.match(stored, /"case\.answer"/);
});

test("a case that is not there, or no id at all, is told", async () => {
  const absent = await afara(["cases", "show", encodeId("cas", newUuid())]);
  assert.deepEqual([absent.code, /There is no case/.test(absent.out)], [1, true]);
  assert.equal((await afara(["cases", "close", "cas_1", "--resolution", "x"])).code, 2);
});
