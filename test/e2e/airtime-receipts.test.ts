import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeDataDir } from "../../src/testing/gateway.ts";
import { pngOf } from "../../src/testing/pictures.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { buy, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { type Money, type Problem, phone, startRig } from "./rig.ts";

/** Receipts of airtime and data, with the seller that the operator has set. */
const SELLER = {
  name: "Ilé Ìtajà <Ẹ̀kọ́> & Sons",
  address: "1 Sample Close\nẸ̀kọ́",
  tin: "12345678-0001",
  phone: "0803 123 4567",
  email: "help@shop.example",
};
const logos = await makeDataDir();
const logo = join(logos.dir, "logo.png");
await writeFile(logo, pngOf(120, 40));
test.after(logos.remove);
const rig = await startRig((config) => ({ ...config, seller: { ...SELLER, logo } }));
const subscriber = await rig.subscriber({ balance: "100000.00", also: { airtime: "scale", electricity: "scale" } });
const other = await rig.subscriber({ balance: "1000.00", also: { airtime: "scale" } });

interface Receipt {
  readonly object: string;
  readonly product: string;
  readonly receipt_number: string;
  readonly seller?: typeof SELLER;
  readonly to: string;
  readonly network?: string;
  readonly plan?: { readonly name: string; readonly size_mb: number | null; readonly validity_days: number | null };
  readonly amount: Money;
  readonly discount: Money;
  readonly fee: Money & { readonly tax: string };
  readonly total: Money & { readonly tax: string };
  readonly reference?: string;
}

const ask = (accept: string, { id }: { readonly id: string }, service = "airtime", key = subscriber.key) =>
  fetch(`${rig.gateway.base}/${service}/receipt/${id}`, { headers: { "x-api-key": key, accept } });
const read = async (purchase: Purchase) => (await (await ask("application/json", purchase)).json()) as Receipt;

const topUp = purchaseIn(
  await buy(subscriber, "/airtime/topup", { to: phone(1), amount: 500, network: "mtn", reference: "till 1" }),
);

test("a receipt of airtime names seller, phone and network, and its lines come to what was paid", async () => {
  const receipt = await read(topUp);
  assert.deepEqual(receipt.seller, SELLER);
  assert.deepEqual(
    [receipt.object, receipt.product, receipt.receipt_number, receipt.to, receipt.network, receipt.reference],
    ["receipt", "airtime", topUp.id, phone(1), "mtn", "till 1"],
  );
  assert.deepEqual([receipt.amount, receipt.discount, receipt.total], [topUp.amount, topUp.discount, topUp.price]);
  assert.deepEqual([receipt.fee.amount, receipt.fee.tax], ["0.00", "0.00"]);
});

test("a receipt of airtime as a page has the logo inside, runs nothing and fetches nothing", async () => {
  const answer = await ask("text/html", topUp);
  assert.match(answer.headers.get("content-security-policy") ?? "", /; img-src data:; /);
  const page = await answer.text();
  assert.match(page, /<img class="logo" alt="" src="data:image\/png;base64,[\w+/]+=*">/);
  assert.ok(page.includes("<strong>Ilé Ìtajà &lt;Ẹ̀kọ́&gt; &amp; Sons</strong>") && page.includes("TIN 12345678-0001"));
  assert.ok(page.includes("VAT in the total") && page.includes(`₦${topUp.price.tax}`));
  assert.doesNotMatch(page, /<script|<link|https?:|url\(/);
});

test("a receipt of airtime as PDF has the logo inside", async () => {
  const answer = await ask("application/pdf", topUp);
  assert.deepEqual(
    [answer.headers.get("content-type"), answer.headers.get("content-disposition")],
    ["application/pdf", `inline; filename="receipt-${topUp.id}.pdf"`],
  );
  const bytes = Buffer.from(await answer.arrayBuffer()).toString("latin1");
  assert.match(bytes, /^%PDF-1\.\d[\s\S]*%%EOF\s*$/);
  assert.match(bytes, /\/Subtype \/Image/);
});

test("a receipt of data says plan, size, validity and network", async () => {
  const plan = await waitFor("the data plans", async () => {
    const { body } = await subscriber.get<{ data: readonly { plan_id: string }[] }>("/airtime/data/plans?network=mtn");
    return body.data.find(({ plan_id }) => plan_id.startsWith("mtn-1gb-30d-"));
  });
  const bundle = purchaseIn(await buy(subscriber, "/airtime/data", { to: phone(2), plan_id: plan.plan_id }));
  const receipt = await read(bundle);
  assert.deepEqual([receipt.product, receipt.network, receipt.total], ["data", "mtn", bundle.price]);
  assert.deepEqual(
    [receipt.plan?.name, receipt.plan?.size_mb, receipt.plan?.validity_days],
    [bundle.plan?.name, 1024, 30],
  );
  const page = await (await ask("text/html", bundle)).text();
  for (const said of ["Data receipt", "MTN", "1 GB", "30 days", phone(2)]) assert.ok(page.includes(said), said);
});

test("another account's purchase, and another service's, have no receipt here", async () => {
  assert.equal((await ask("application/json", topUp, "airtime", other.key)).status, 404);
  assert.equal((await ask("application/json", topUp, "electricity")).status, 404);
  const body = { meter_number: "11111111111", disco: "eko-electric", amount: 3_000, to: phone(3) };
  const power = purchaseIn(await buy(subscriber, "/electricity/purchase", body));
  assert.equal((await ask("application/json", power)).status, 404);
  const receipt = (await (await ask("application/json", power, "electricity")).json()) as Receipt;
  assert.deepEqual([receipt.product, receipt.seller, receipt.total], ["electricity", SELLER, power.price]);
  assert.equal((await ask("application/pdf", power, "electricity")).status, 200);
});

test("what failed or was reversed has no receipt, and other forms are not acceptable", async () => {
  const failed = purchaseIn(await buy(subscriber, "/airtime/topup", { to: "+2348000000001", amount: 500 }));
  const taken = purchaseIn(await buy(subscriber, "/airtime/topup", { to: "+2348000000011", amount: 500 }));
  const reversed = await purchaseBecomes(subscriber, taken, "reversed");
  for (const purchase of [failed, reversed]) {
    const answer = await ask("application/pdf", purchase);
    const problem = (await answer.json()) as Problem;
    assert.deepEqual([answer.status, problem.code, problem.order_status], [409, "invalid_state", purchase.status]);
  }
  const answer = await ask("image/png", topUp);
  assert.deepEqual([answer.status, ((await answer.json()) as Problem).code], [406, "not_acceptable"]);
});

rig.provesItsLedger();
