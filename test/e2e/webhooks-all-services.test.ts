import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICES } from "../../src/app/services.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { orderFaults, Receiver } from "../../src/testing/receiver.ts";
import { runsOf } from "../../src/testing/test-length.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { makeRandom } from "../simulation/random.ts";
import { phone, startRig } from "./rig.ts";

/** Orders of all services, their ends mixed by the magic numbers, and receivers that take everything or fail a third of the time. */
const rig = await startRig();
const ORDERS = runsOf({ short: 200, long: 5_000 });
const CALLERS = 24;
const WAIT_MS = 600_000;

const FINAL: ReadonlySet<string> = new Set(
  SERVICES.flatMap(({ service, table }) =>
    Object.entries(table.states).flatMap(([state, { final }]) => (final ? [`${service} ${state}`] : [])),
  ),
);
/** Their vendor reverses purchases for them, five seconds after they were successful. */
const REVERSED = ["2348000000011", "70000000007", "7000000007"];

interface Call {
  readonly path: string;
  readonly body: object;
}

/** They are copied from the vendor a moment after the start. */
const plans = await waitFor("data plans", async () => {
  const { data } = (await rig.local.get<{ data: { plan_id: string }[] }>("/airtime/data/plans?network=mtn")).body;
  return data.length > 0 && data;
});

/** Ten thousand naira of play money for each order. */
for (let left = ORDERS * 10_000; left > 0; left -= 1_000_000) {
  const { status, body } = await rig.local.post("/wallet/topups", { amount: 1_000_000, method: "bank_transfer" });
  assert.equal(status, 201, JSON.stringify(body));
}

/** Six in ten are messages, as with most subscribers; every tenth order goes to a number with another end. */
function callOf(index: number): Call {
  const tens = Math.floor(index / 10);
  const magic = tens % 10 === index % 10;
  const to = phone(index);
  const more = { allow_duplicate: true };
  const digits = String(index).padStart(9, "0");
  const magicPhone = (numbers: readonly string[]) => (magic ? `+23480000000${numbers[tens % numbers.length]}` : to);
  const sms = {
    path: "/sms/send",
    body: { to: magicPhone(["01", "02", "03", "06", "09"]), message: `Number ${index}` },
  };
  const services: readonly Call[] = [
    sms,
    sms,
    sms,
    sms,
    {
      path: "/chat/send/template",
      body: { to: magicPhone(["01", "02"]), template: "hello_world", language: "en_US" },
    },
    {
      path: "/chat/send/template",
      body: { to: magicPhone(["01", "09"]), template: "hello_world", language: "en_US" },
    },
    { path: "/airtime/topup", body: { to: magicPhone(["01", "11"]), amount: 100, ...more } },
    {
      path: "/airtime/data",
      body: { to: magicPhone(["01", "11"]), plan_id: plans[index % plans.length]!.plan_id, ...more },
    },
    {
      path: "/electricity/purchase",
      body: {
        meter_number: magic ? ["60000000006", "70000000007"][tens % 2]! : `11${digits}`,
        disco: "ikeja-electric",
        amount: 1_000,
        to,
        ...more,
      },
    },
    {
      path: "/cable/purchase",
      body: { smartcard_number: magic ? "7000000007" : `1${digits}`, provider: "dstv", kind: "renew", to, ...more },
    },
  ];
  return services[(index * 7) % services.length]!;
}

const SUBJECTS = SERVICES.flatMap(({ service, subjects = [service] }) => subjects);
const TYPES = SUBJECTS.map((subject) => `${subject}.*`);

async function subscribe(): Promise<Receiver> {
  const receiver = await Receiver.start();
  const { body, status } = await rig.local.post<{ id: string }>("/webhooks", { url: receiver.url, types: TYPES });
  assert.equal(status, 201, JSON.stringify(body));
  const isActive = async () =>
    (await rig.local.get<{ status: string }>(`/webhooks/${body.id}`)).body.status === "active";
  await waitFor("an active endpoint", isActive);
  return receiver;
}

test(`every change of ${ORDERS} orders of all services arrives in sequence, also where a third of the answers are failures`, async (t) => {
  const [sound, failing] = [await subscribe(), await subscribe()];
  const random = makeRandom(20_261_129);
  failing.answer = (_received, response) => {
    if (!random.chance(1 / 3)) return 204;
    if (random.chance(2 / 3)) return 500;
    response.socket?.destroy();
    return undefined;
  };

  let next = 0;
  const caller = async () => {
    while (next < ORDERS && !t.signal.aborted) {
      const { path, body } = callOf(next++);
      const { status } = await rig.gateway.call("POST", path, body, { "idempotency-key": newUuid() });
      // 422: a purchase that was made and failed, as its number says.
      assert.ok([200, 201, 202, 422].includes(status), `${path} ${JSON.stringify(body)}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const isOver = async () => {
    const { rows } = await rig.db.query<{ service: string; state: string; reversible: boolean }>(
      "select distinct service, state, recipient = any($1) as reversible from orders",
      [REVERSED],
    );
    return rows.every(
      ({ service, state, reversible }) => FINAL.has(`${service} ${state}`) && !(reversible && state === "successful"),
    );
  };
  await waitFor("the end of every order", isOver, WAIT_MS);

  // A chat message may still be read: the feed grows a little.
  const counts = async () => {
    const { rows } = await rig.db.query<{ orders: number; events: number }>(
      "select (select count(*)::int from orders) as orders, count(*)::int as events from events where split_part(type, '.', 1) = any($1)",
      [SUBJECTS],
    );
    return rows[0]!;
  };
  const distinct = ({ events: taken }: Receiver) => new Set(taken.map(({ id }) => id)).size;
  const hasAll = async () => {
    const { events } = await counts();
    return distinct(sound) === events && distinct(failing) === events;
  };
  await waitFor("every event at both receivers", hasAll, WAIT_MS);
  const { orders, events } = await counts();
  assert.ok(orders >= ORDERS * 0.95, `${orders} orders`);
  for (const receiver of [sound, failing]) {
    assert.equal(distinct(receiver), events);
    assert.deepEqual(orderFaults(receiver.events), []);
  }
  assert.equal(sound.all.length, sound.taken.length);
  assert.ok(failing.all.length > 1.2 * events, `${failing.all.length} deliveries of ${events} events`);
  t.diagnostic(`${orders} orders, ${events} events; ${failing.all.length} deliveries to the failing receiver`);
});

rig.provesItsLedger();
