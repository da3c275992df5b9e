import assert from "node:assert/strict";
import { test } from "node:test";
import { lagosDay } from "../../src/kernel/lagos.ts";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

const { subscriber, provesItsLedger } = await startRig();

interface Sums {
  readonly day?: string;
  readonly service?: string;
  readonly status?: string;
  readonly orders: number;
  readonly charged: { readonly amount: string };
  readonly held: { readonly amount: string };
  readonly returned: { readonly amount: string };
  readonly refunded: { readonly amount: string };
}
interface Usage {
  readonly from: string;
  readonly to: string;
  readonly data: readonly Sums[];
  readonly total: Sums;
}

const brief = ({ day, service, status, orders, charged, held, returned }: Sums) => [
  day ?? service ?? status,
  orders,
  charged.amount,
  held.amount,
  returned.amount,
];

test("usage counts orders by day, service and status, and each price is charged, held or returned", async () => {
  const customer = await subscriber();
  const [first, second, refused, later] = [
    await customer.send({ to: phone(1), message: "one" }),
    await customer.send({ to: phone(2), message: "two" }),
    await customer.send({ to: "+2348000000001", message: "never" }),
    await customer.send({
      to: phone(3),
      message: "tomorrow",
      send_at: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  ];
  await customer.reached(first.id, "delivered");
  await customer.reached(second.id, "delivered");
  await customer.ended(refused.id);
  const price = first.price.amount;
  const twice = (2 * Number(price)).toFixed(2);

  const { body } = await customer.get<Usage>("/usage");
  const today = lagosDay(new Date());
  assert.deepEqual([body.to, body.data.map(brief)], [today, [[today, 4, twice, price, refused.price.amount]]]);
  assert.deepEqual(brief(body.total), [undefined, 4, twice, price, refused.price.amount]);
  const { body: byService } = await customer.get<Usage>(`/usage?by=service&from=${today}&to=${today}`);
  assert.deepEqual(byService.data.map(brief), [["sms", 4, twice, price, refused.price.amount]]);
  const { body: byStatus } = await customer.get<Usage>("/usage?by=status");
  assert.deepEqual(byStatus.data.map(brief), [
    ["delivered", 2, twice, "0.00", "0.00"],
    ["rejected", 1, "0.00", "0.00", refused.price.amount],
    ["scheduled", 1, "0.00", price, "0.00"],
  ]);
  const { body: ofSms } = await customer.get<Usage>("/usage?service=sms");
  assert.deepEqual(ofSms, body);
  const { body: ofCable } = await customer.get<Usage>("/usage?service=cable");
  assert.deepEqual([ofCable.data, ofCable.total.orders], [[], 0]);

  assert.equal(later.status, "scheduled");
  const other = await subscriber();
  assert.deepEqual((await other.get<Usage>("/usage")).body.data, []);
});

test("a time that is too long, turned round or not in the calendar is refused and told", async () => {
  const customer = await subscriber();
  const faultOf = async (query: string) => {
    const answer = await customer.get<Problem>(`/usage?${query}`);
    assertProblem(answer);
    assert.equal(answer.body.code, "validation_failed");
    return answer.body.errors?.[0]?.parameter;
  };
  assert.equal((await customer.get("/usage?from=2026-09-01&to=2026-12-01")).status, 200);
  assert.equal(await faultOf("from=2026-08-31&to=2026-12-01"), "from");
  assert.equal(await faultOf("from=2026-11-02&to=2026-11-01"), "from");
  assert.equal(await faultOf("from=2026-02-01&to=2026-02-30"), "to");
  assert.equal(await faultOf("to=yesterday"), "to");
  assert.equal(await faultOf("by=week"), "by");
  assert.equal(await faultOf("service=parking"), "service");
});

provesItsLedger();
