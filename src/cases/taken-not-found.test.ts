import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ID_PREFIXES } from "../app/services.ts";
import { encodeId } from "../kernel/ids.ts";
import { findOrder } from "../orders/orders.repo.ts";
import { makeCli } from "../testing/cli.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { clockAhead, listeningLog, startPurchases, type VendorName } from "../testing/purchases-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeOpenCases } from "./open-cases.ts";

/** What a vendor took and does not find: a case for a person, whichever vendor it is, and a purchase that they end. */

const rig = await startPurchases();
const { db, database } = rig;
const data = await makeDataDir();
after(() => data.remove());
const afara = makeCli({ AFARA_DATA_DIR: data.dir, DATABASE_URL: database.url, USER: "ada" });
const { log, errors } = listeningLog();
const openCases = makeOpenCases({
  db,
  clock: clockAhead(3_000),
  log,
  services: ["airtime", "electricity"],
  idPrefixes: ID_PREFIXES,
});

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly purchase: string;
  readonly status: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}
async function casesOf(purchase: string): Promise<readonly Shown[]> {
  const { cases } = (await afara(["cases", "list", "--all", "--json"])).json<{ cases: readonly Shown[] }>();
  return cases.filter((one) => one.purchase === purchase);
}

for (const vendor of ["vtpass", "reloadly", "buypower"] as const satisfies readonly VendorName[])
  for (const scenario of ["accepted_then_forgotten", "reference_used_then_forgotten"] as const)
    test(`${vendor}, ${scenario}: one case that ends with the purchase, which says why it is held`, async () => {
      await rig.vendors.scenario(vendor, scenario);
      const bought = await rig.buy(vendor, "processing");
      const order = await waitFor("that it is not found", async () => {
        const now = await findOrder(db, rig.accountId, bought.id);
        return now?.pieces?.[0]?.denied_at !== undefined && now;
      });
      const purchase = encodeId("pur", order.id);
      const before = errors.length;
      await Promise.all([openCases(), openCases()]);
      await openCases();
      const [found, ...more] = await casesOf(purchase);
      assert.deepEqual([found?.kind, found?.status, more], ["taken_not_found", "open", []]);
      assert.equal(found?.evidence.reference, order.attemptReference);
      assert.equal(found?.evidence.not_found_since, order.pieces?.[0]?.denied_at);
      assert.deepEqual(errors.slice(before), ["a case is open: see ./afara cases list"]);
      await makeOpenCases({
        db,
        clock: clockAhead(180_000),
        log,
        services: ["airtime", "electricity"],
        idPrefixes: ID_PREFIXES,
      })();
      assert.equal((await casesOf(purchase)).length, 1, "it is no second case that its outcome is unknown for long");

      const shown = (await afara(["orders", "show", purchase])).out.replaceAll(/\s+/g, " ");
      assert.match(shown, /HELD BECAUSE .*reported that it took the order, but since .* reports no record of it/);
      const closing = await afara(["cases", "close", found!.id, "--resolution", "forget it", "--json"]);
      assert.match(closing.json<{ detail: string }>().detail, /still processing, and its money is held/);

      const ended = await waitFor("a moment in which no node is at it", async () => {
        const proof = "the vendor's support by phone: never delivered";
        const done = await afara(["orders", "resolve", purchase, "--as", "failed", "--proof", proof, "--json"]);
        return done.code === 0 && done.json<{ state: string }>();
      });
      assert.equal(ended.state, "failed");
      assert.deepEqual(
        (await casesOf(purchase)).map(({ status }) => status),
        ["closed"],
      );
      assert.doesNotMatch((await afara(["orders", "show", purchase])).out, /HELD/);
      assert.equal((await afara(["ledger", "check"])).code, 0);
    });

test("it is no case before its time, and the case closes by itself with its order", async () => {
  await rig.vendors.scenario("vtpass", "accepted_then_forgotten");
  const bought = await rig.buy("vtpass", "processing");
  await waitFor("that it is not found", async () => {
    const now = await findOrder(db, rig.accountId, bought.id);
    return now?.pieces?.[0]?.denied_at;
  });
  const purchase = encodeId("pur", bought.id);
  await makeOpenCases({ db, clock: clockAhead(-60_000), log, services: ["airtime"], idPrefixes: ID_PREFIXES })();
  assert.deepEqual(await casesOf(purchase), []);
  await openCases();
  assert.equal((await casesOf(purchase))[0]?.status, "open");
  await waitFor("the end", async () => {
    const { rowCount } = await db.query(
      "update orders set state = 'successful', ended_at = now(), due_at = null, later_at = null where id = $1 and leased_until is null",
      [bought.id],
    );
    return rowCount === 1;
  });
  await openCases();
  assert.equal((await casesOf(purchase))[0]?.status, "closed");
});
