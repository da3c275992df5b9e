import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { testVendors } from "../../vendors/rig.ts";

/** Simulated vendors that can be stopped and started again on the same data. */
async function vtpass(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), "afara-vendors-"));
  const clock = { aheadMs: Date.UTC(2027, 0, 10, 9) - Date.now() };
  let stop = async (): Promise<void> => undefined;
  const keepStop = (end?: unknown): void => {
    stop = end as () => Promise<void>;
  };
  const start = () => testVendors({ after: keepStop }, { dataDir, clock });
  let rig = await start();
  t.after(async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const post = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${rig.ports.vtpass}/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "api-key": "simulated-api-key", "secret-key": "SK_simulated" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { readonly code: string; readonly content: Readonly<Record<string, unknown>> };
  };
  let ids = 0;
  return {
    clock,
    async card(serviceID: string, billersCode: string) {
      const { content } = await post("merchant-verify", { serviceID, billersCode });
      return [content.Current_Bouquet_Code, Number(content.Renewal_Amount), content.Due_Date];
    },
    async pay(serviceID: string, billersCode: string, what: object) {
      const lagos = new Date(Date.now() + clock.aheadMs + 3_600_000).toISOString().replaceAll(/[-T:]/g, "");
      const request_id = `${lagos.slice(0, 12)}card${++ids}`;
      const { code } = await post("pay", { request_id, serviceID, billersCode, phone: "08031234567", ...what });
      assert.equal(code, "000");
    },
    steer: (number: string, changes: object) =>
      fetch(`${rig.client.url}/vtpass/smartcards/${number}`, { method: "POST", body: JSON.stringify(changes) }),
    async restart() {
      await stop();
      rig = await start();
    },
  };
}

const CHANGE = { subscription_type: "change", variation_code: "gotv-smallie-3months" };
const RENEW = { subscription_type: "renew" };

test("a card keeps the bouquet that was bought for it and its new due date, also over a restart", async (t) => {
  const { card, pay, restart, clock } = await vtpass(t);
  assert.deepEqual(await card("gotv", "1212121212"), ["gotv-jolli", 5_800, "06-FEB-27"]);
  await pay("gotv", "1212121212", { ...RENEW, amount: 5_800 });
  assert.deepEqual(await card("gotv", "1212121212"), ["gotv-jolli", 5_800, "08-MAR-27"]);
  clock.aheadMs += 60_000;
  await pay("gotv", "1212121212", CHANGE);
  const changed = ["gotv-smallie-3months", 5_100, "10-APR-27"];
  assert.deepEqual(await card("gotv", "1212121212"), changed);
  await restart();
  assert.deepEqual(await card("gotv", "1212121212"), changed);
  assert.deepEqual(
    await card("dstv", "1212121212"),
    ["dstv79", 19_000, "2027-02-06T00:00:00"],
    "another provider's card",
  );
});

test("a purchase that was reversed, or paid less than the bouquet costs, changes nothing on the card", async (t) => {
  const { card, pay, clock } = await vtpass(t);
  const before = ["gotv-jolli", 5_800, "06-FEB-27"];
  await pay("gotv", "7000000007", CHANGE);
  assert.equal((await card("gotv", "7000000007"))[0], "gotv-smallie-3months");
  clock.aheadMs += 60_000;
  assert.deepEqual(await card("gotv", "7000000007"), before);
  await pay("gotv", "1212121213", { ...RENEW, amount: 100 });
  assert.deepEqual(await card("gotv", "1212121213"), before);
});

test("an inactive magic card stays inactive, and a card steered to a bouquet has that one", async (t) => {
  const { card, pay, steer, clock } = await vtpass(t);
  await pay("gotv", "8000000008", CHANGE);
  assert.deepEqual((await card("gotv", "8000000008")).slice(0, 2), ["", 0]);
  await pay("gotv", "1212121212", CHANGE);
  clock.aheadMs += 1_000;
  await steer("1212121212", { bouquet: "gotv-supa-plus" });
  assert.equal((await card("gotv", "1212121212"))[0], "gotv-supa-plus");
});
