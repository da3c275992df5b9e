import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

/** What belongs together, what does not, and filters and forms that can't be served. */
const rig = await startRig();
const customer = await rig.subscriber({ also: { chat: "scale" } });

const [to, message] = [[phone(1)], "Hi"];
const messages = [{ to: phone(1), message }];
for (const [path, body, faults] of [
  ["/sms/bulk", { to, message, messages }, ["/to not_together", "/message not_together"]],
  ["/sms/bulk", { message, messages }, ["/message not_together"]],
  ["/sms/bulk", { to }, ["/message required"]],
  ["/sms/bulk", { message }, ["/to required"]],
  ["/sms/bulk", {}, ["/to required", "/message required"]],
  ["/sms/suppressions", { phone: phone(1), user_id: "NG.13491208655302741918" }, ["/user_id not_together"]],
  ["/sms/suppressions", {}, ["/phone required"]],
  [
    "/chat/send/media",
    { to: phone(1), type: "image", url: "https://example.com/a.png", media_id: "med_x" },
    ["/media_id not_together"],
  ],
  ["/chat/send/media", { to: phone(1), type: "image" }, ["/url required"]],
] as const)
  test(`${path} with ${Object.keys(body).join(", ") || "nothing"} names ${faults.join(" and ")}`, async () => {
    const answer = await customer.post<Problem>(path, body);
    assertProblem(answer);
    assert.deepEqual([answer.status, answer.body.code], [400, "validation_failed"]);
    assert.deepEqual(
      answer.body.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
      faults,
    );
  });

for (const [path, name] of [
  ["/wallet/transactions?order=zzz", "order"],
  ["/wallet/transactions?order=blk_01kb3v9q4ze1xb8m6t2r5y7w0n", "order"],
  ["/sms/messages?bulk_id=zzz", "bulk_id"],
  ["/sms/messages?bulk_id=msg_01kb3v9q4ze1xb8m6t2r5y7w0n", "bulk_id"],
] as const)
  test(`GET ${path} is refused by name, not answered with nothing`, async () => {
    const answer = await customer.get<Problem>(path);
    assertProblem(answer);
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.errors?.map(({ parameter, code }) => [parameter, code]),
      [[name, "wrong_format"]],
    );
  });

for (const path of [
  "/wallet/transactions?order=pur_01kb3v9q4ze1xb8m6t2r5y7w0n",
  "/sms/messages?bulk_id=blk_01kb3v9q4ze1xb8m6t2r5y7w0n",
])
  test(`GET ${path} finds nothing, which is no fault`, async () => {
    const { status, body } = await customer.get<{ readonly data: readonly unknown[] }>(path);
    assert.deepEqual([status, body.data], [200, []]);
  });

test("GET /usage has no CSV, and says so", async () => {
  const headers = { "x-api-key": customer.key, accept: "text/csv" };
  const answer = await rig.gateway.call<Problem>("GET", "/usage", undefined, headers);
  assertProblem(answer);
  assert.deepEqual([answer.status, answer.body.code], [406, "not_acceptable"]);
  assert.equal((await customer.get("/usage")).status, 200);
});
