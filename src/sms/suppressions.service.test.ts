import assert from "node:assert/strict";
import { test } from "node:test";
import config from "../../afara.config.ts";
import { makeDestinationCaps } from "../counters/destination-caps.ts";
import { MemoryCounters } from "../counters/memory-counters.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { makeErasedName } from "../kernel/erased-name.ts";
import { newUuid } from "../kernel/ids.ts";
import { decideOutcome } from "../orders/decide.ts";
import { changeOrders, findOrder } from "../orders/orders.repo.ts";
import { makeOrders } from "../orders/orders.ts";
import type { Outcome } from "../ports/provider.ts";
import { makeTestAccount } from "../testing/account.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { makePreSendCheck } from "./pre-send-check.ts";
import { makeSmsSeal } from "./sealed-sms.ts";
import { makeSenders } from "./senders.service.ts";
import { SMS } from "./sms.definition.ts";
import { makeSms } from "./sms.service.ts";
import type { SmsFault } from "./sms.ts";
import { listSuppressions, suppress } from "./suppressions.repo.ts";
import { makeSuppressions } from "./suppressions.service.ts";
import type { SmsCaller, SmsOptions } from "./terms.ts";

/** The service on a real database, at ten in Lagos; nothing is dispatched. */
const db = (await makeTestDatabase()).open();
const node = newUuid();
const DND: Outcome = { kind: "rejected", scope: "order", code: "dnd", detail: "0x0410" };

const erasedName = makeErasedName("a secret");

async function makeRig() {
  const clock = new StandingClock();
  const suppressions = makeSuppressions({ db, clock, erasedName });
  const orders = makeOrders({
    db,
    node,
    role: "api",
    clock,
    log: SILENT,
    services: [SMS],
    routes: [
      {
        provider: new ScriptedProvider("v"),
        settings: { name: "v", queues: ["sms:test"], weight: 1, window: 1, ratePerSecond: 1 },
      },
    ],
    isSuspended: async () => false,
    leaseSeconds: 30,
    inboxMax: 10,
    waitingMax: 100,
    answerMs: 1_000,
  });
  const sms = makeSms({
    db,
    orders,
    clock,
    defaultSender: "Afara",
    vatBasisPoints: config.vatBasisPoints,
    senders: makeSenders({ db, clock, defaultSender: "Afara", openSenders: [] }),
    suppressions,
    plans: config.services.sms?.plans ?? [],
    destinationCaps: makeDestinationCaps(new MemoryCounters(clock), {}),
    seal: makeSmsSeal("a secret of the server"),
  });
  const { accountId } = await makeTestAccount(db, { secret: "pepper", plan: "scale", balance: "100.00" });
  const caller: SmsCaller = { accountId, mode: "test", plan: config.services.sms!.plans.at(-1)! };
  const send = (options: SmsOptions) =>
    sms.send(caller, { to: "08031234567", message: "Sale" }, options, {
      idempotencyKey: undefined,
      fingerprint: Buffer.alloc(32),
    });
  const sent = async (options: SmsOptions) => {
    const result = await send(options);
    assert.ok(result.ok, result.ok ? "" : result.error.detail);
    return (await findOrder(db, accountId, result.value.order.id))!;
  };
  /** The order as it is after the vendor's answer. */
  const answered = async (options: SmsOptions, outcome: Outcome) => {
    const order = await sent(options);
    const at = clock.now();
    const said = {
      route: "v",
      attempt: 1,
      attemptReference: null,
      begunAt: at,
      outcomes: [outcome],
      moreRoutes: false,
    };
    const { stale } = await changeOrders(db, node, [decideOutcome(SMS, order, said, at)]);
    assert.equal(stale.size, 0);
    return (await findOrder(db, accountId, order.id))!;
  };
  const listed = () => {
    const filter = {
      accountId,
      mode: "test",
      address: undefined,
      channel: undefined,
      beforeId: undefined,
      limit: 10,
    } as const;
    return listSuppressions(db, filter, clock.now(), erasedName);
  };
  const recipient = { accountId, mode: "test", address: "2348031234567" } as const;
  const optOut = () => suppress(db, recipient, { channel: "all", reason: "manual" }, clock.now());
  return { clock, suppressions, send, sent, answered, listed, optOut };
}

test("a promotional message refused with Do-Not-Disturb keeps its recipient from promotions for 30 days", async () => {
  const { clock, send, sent, answered, listed } = await makeRig();
  assert.equal((await answered({ route: "promotional" }, DND)).state, "rejected");
  const [row, ...more] = await listed();
  assert.deepEqual(more, []);
  assert.deepEqual([row?.phone, row?.source, row?.reason], ["2348031234567", "network", "dnd"]);
  assert.equal(row!.expiresAt!.getTime() - clock.now().getTime(), 30 * DAY_MS);
  const refused = await send({ route: "promotional" });
  assert.equal(!refused.ok && refused.error.code, "recipient_opted_out");
  await sent({});

  clock.advance(30 * DAY_MS);
  assert.deepEqual(await listed(), []);
  assert.equal((await answered({ route: "promotional" }, DND)).state, "rejected");
  assert.equal((await listed()).length, 1, "the next answer counts anew");
});

test("other answers and transactional messages suppress nobody", async () => {
  const { answered, listed } = await makeRig();
  await answered({}, DND);
  await answered({ route: "promotional" }, { ...DND, code: "invalid_number" });
  await answered({ route: "promotional" }, { kind: "accepted", providerReference: newUuid() });
  assert.deepEqual(await listed(), []);
});

test("what was accepted for later is looked at again before it leaves; a fresh or transactional message needs no query", async () => {
  const { clock, suppressions, sent, optOut } = await makeRig();
  let unapproved: SmsFault | undefined;
  const senders = { ruleFor: async () => () => unapproved };
  const preSendCheck = makePreSendCheck({ clock, senders, suppressions });
  const sendAt = { send_at: new Date(clock.now().getTime() + 3_600_000).toISOString() };
  const later = await sent({ route: "promotional", ...sendAt });
  const fresh = await sent({ route: "promotional" });
  const transactional = await sent(sendAt);
  assert.equal(await preSendCheck(later), undefined);
  await optOut();
  assert.equal((await preSendCheck(later))?.code, "opted_out");
  assert.equal(await preSendCheck(transactional), undefined);
  assert.equal(preSendCheck(fresh), undefined);
  clock.advance(60_000);
  assert.equal((await preSendCheck(fresh))?.code, "opted_out", "one that waited long is looked at as well");

  unapproved = { pointer: "/from", code: "sender_not_approved", detail: "refused on MTN" };
  const why = await preSendCheck(transactional);
  assert.deepEqual(
    why,
    { code: "sender_refused", detail: "refused on MTN" },
    "the operator's refusal counts for it too",
  );
});
