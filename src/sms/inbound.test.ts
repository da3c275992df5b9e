import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { assignInboundNumber } from "../accounts/inbound-numbers.repo.ts";
import { makeErasedName } from "../kernel/erased-name.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { listUnownedNumbers } from "./inbound.repo.ts";
import { makeSmsInbound } from "./inbound.service.ts";

const database = await makeTestDatabase();
const db = database.open();

const erasedName = makeErasedName("a secret");
const clock = { now: () => new Date(), monotonicMs: () => performance.now() };

function makeRig() {
  const warnings: object[] = [];
  const log = { ...SILENT, warn: (fields: object) => void warnings.push(fields) };
  const inbound = makeSmsInbound({ db, clock, log, erasedName });
  let written = 0;
  const write = (from: string, to: string, text: string) =>
    inbound("smsc", "live", { providerReference: `${from}-${to}-${++written}`, from, to, text, at: new Date() });
  return { warnings, write };
}

test("a message to a number that nobody has is kept and told to the operator, each number once a minute", async () => {
  const { warnings, write } = makeRig();
  for (let n = 0; n < 3; n++) await write("08031460021", "08012345678", "STOP");
  await write("08031460021", "2442", "STOP");
  assert.deepEqual(warnings, [
    { provider: "smsc", mode: "live", number: "2348012345678" },
    { provider: "smsc", mode: "live", number: "2442" },
  ]);
  const unowned = await listUnownedNumbers(db, new Date(Date.now() - 60_000));
  assert.deepEqual(
    new Map(unowned.map(({ number, messages }) => [number, messages])),
    new Map([
      ["2348012345678", 3],
      ["2442", 1],
    ]),
  );
});

test("a message to an owned number, in whatever form, is no reason to warn, and its repeat is recorded once", async () => {
  const { warnings, write } = makeRig();
  const accountId = newUuid();
  await insertAccount(db, { id: accountId, name: "Owner" });
  await assignInboundNumber(db, accountId, "2348099990001", "live");
  for (const form of ["08099990001", "8099990001", "+2348099990001", "23408099990001"])
    await write("2348031460022", form, "Hello");
  const inbound = makeSmsInbound({ db, clock, log: SILENT, erasedName });
  const same = { providerReference: "same", from: "2348031460022", to: "08099990001", text: "Hi", at: new Date() };
  await inbound("smsc", "live", same);
  await inbound("smsc", "live", same);
  const { rows } = await db.query<{ sender: string; recipient: string; count: number }>(
    "select sender, recipient, count(*)::int from inbound_messages where account_id = $1 group by 1, 2",
    [accountId],
  );
  assert.deepEqual(rows, [{ sender: "2348031460022", recipient: "2348099990001", count: 5 }]);
  assert.deepEqual(warnings, []);
});
