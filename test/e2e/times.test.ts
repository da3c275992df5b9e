import assert from "node:assert/strict";
import { test } from "node:test";
import { makeCli } from "../../src/testing/cli.ts";
import { chat, handsetWrites } from "./chats.ts";
import { buy } from "./purchases.ts";
import { assertProblem, type Page, type Problem, phone, startRig } from "./rig.ts";

/** Times as people write them: one reading in every list, every body and on the command line. */
const rig = await startRig();
const afara = makeCli(rig.environment);
const customer = await rig.subscriber({
  balance: "100000.00",
  also: { airtime: "scale", electricity: "scale", cable: "scale", chat: "scale" },
});

const meter = (place: number) => ({
  meter_number: `1${String(3_800_000_000 + place)}`,
  disco: "ikeja-electric",
  amount: 2_000,
  to: phone(place),
});
const card = (place: number) => ({
  smartcard_number: `1${String(300_000_000 + place)}`,
  provider: "dstv",
  kind: "renew",
  to: phone(place),
});
/** Every list that takes times, with two entries in it. */
for (const place of [1, 2]) {
  await customer.post("/sms/send", { to: phone(place), message: "Timed" });
  await buy(customer, "/airtime/topup", { to: phone(place), amount: 500, network: "mtn" });
  await buy(customer, "/electricity/purchase", meter(place));
  await buy(customer, "/cable/purchase", card(place));
  await handsetWrites(customer, phone(place));
  await chat(customer, "text", { to: phone(place), message: "Timed" });
}
const LISTS = [
  "/sms/messages",
  "/chat/messages",
  "/airtime/purchases",
  "/electricity/purchases",
  "/cable/purchases",
  "/orders",
  "/wallet/transactions",
];

/** The same moment, `minutes` from now, as a client in Lagos writes it. */
const inLagos = (minutes: number): string =>
  new Date(Date.now() + (minutes + 60) * 60_000).toISOString().replace("Z", "+01:00");

test("these are all the lists that take times", async () => {
  const { body } = await customer.get<{
    paths: Record<string, { get?: { parameters?: { name?: string; $ref?: string }[] } }>;
  }>("/openapi.json");
  const takingTimes = Object.entries(body.paths).flatMap(([path, { get }]) =>
    get?.parameters?.some(({ name, $ref }) => name === "created_after" || $ref?.endsWith("/CreatedAfter"))
      ? [path]
      : [],
  );
  assert.deepEqual(takingTimes.toSorted(), LISTS.toSorted());
});

for (const list of LISTS)
  test(`${list} reads a plus that was not percent-encoded, lower-case t and z, and goes on from page to page`, async () => {
    const all = (await customer.get<Page>(`${list}?limit=100`)).body.data.length;
    assert.ok(all >= 2);
    for (const time of [inLagos(-60), encodeURIComponent(inLagos(-60)), inLagos(-60).toLowerCase()]) {
      const { status, body } = await customer.get<Page>(`${list}?created_after=${time}&limit=100`);
      assert.deepEqual([status, body.data.length], [200, all], time);
      const none = await customer.get<Page>(`${list}?created_before=${time}`);
      assert.deepEqual([none.status, none.body.data], [200, []], time);
    }
    const zulu = new Date(Date.now() + 3_600_000).toISOString().toLowerCase();
    assert.equal((await customer.get<Page>(`${list}?created_before=${zulu}&limit=100`)).body.data.length, all);

    const since = inLagos(-60);
    const first = (await customer.get<Page>(`${list}?created_after=${since}&limit=1`)).body;
    const next = await customer.get<Page>(
      `${list}?created_after=${encodeURIComponent(since)}&limit=1&after=${encodeURIComponent(first.next_cursor ?? "")}`,
    );
    assert.deepEqual([next.status, next.body.data.length], [200, 1], "the cursor holds for either writing");
  });

for (const list of LISTS)
  test(`${list} refuses what the calendar does not have, and a space that can be no plus`, async () => {
    for (const time of [
      "2027-02-30T00:00:00Z",
      "2026-11-27 09:00:00",
      "2026-11-27T09:00:00 0100",
      "2026-11-27T24:00:00Z",
    ]) {
      const answer = await customer.get<Problem>(`${list}?created_after=${encodeURIComponent(time)}`);
      assertProblem(answer);
      assert.deepEqual([answer.status, answer.body.code], [400, "validation_failed"], time);
    }
  });

test("a body takes lower-case t and z, and no space for a plus, which nothing there has decoded", async () => {
  const at = inLagos(120);
  const send = (send_at: string) => customer.post<Problem>("/sms/send", { to: phone(9), message: "Later", send_at });
  assert.equal((await send(at.toLowerCase())).status, 202);
  assert.equal((await send(at.replace("+", " "))).body.code, "validation_failed");
});

test("the command line knows the calendar too", async () => {
  const create = (expires: string) =>
    afara(["key", "create", "--account", "acc_01k9z3v1h8e4rb2m6t0c5w7xyd", "--mode", "live", "--expires", expires]);
  for (const time of [
    "2027-02-30T00:00:00Z",
    "2027-02-29T00:00:00+01:00",
    "2027-01-31T24:00:00Z",
    "2027-01-32",
    "soon",
  ]) {
    const { code, err } = await create(time);
    assert.deepEqual([code, /a time with its time zone/.test(err)], [2, true], time);
  }
  for (const time of ["2027-01-31t23:00:00z", "2027-01-31"])
    assert.equal((await create(time)).code, 1, "only the account is unknown");
  const reconcile = (...period: string[]) =>
    afara(["reconcile", "--provider", "vtpass-simulator", "--statement", "none.csv", ...period]);
  for (const period of [
    ["--to", "2026-11-31"],
    ["--from", "2026-02-29"],
    ["--from", "2026-11-31T00:00:00Z"],
  ])
    assert.match((await reconcile(...period)).err, /Give an age .*or a time with its time zone/);
  assert.match((await reconcile("--from", "2026-11-30", "--to", "2026-12-01")).err, /no such file/);
});
