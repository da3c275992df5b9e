import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SmscClient } from "../simulators/smsc/client.ts";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir, startGateway } from "../testing/gateway.ts";
import { writeTestConfig } from "../testing/test-config.ts";
import { waitFor } from "../testing/wait-for.ts";

const database = await makeTestDatabase();
const db = database.open();
const data = await makeDataDir();
const config = await writeTestConfig(data.dir, (own) => ({
  ...own,
  providers: Object.fromEntries(
    Object.entries(own.providers).map(([name, provider]) => [
      name,
      { ...provider, settings: { ...provider.settings, responseTimeoutMs: 1_000 } },
    ]),
  ),
}));
const smsc = new SmscClient(config.controlPort, fetch);
const environment = { AFARA_DATA_DIR: data.dir, AFARA_CONFIG: config.path, DATABASE_URL: database.url };
const gateway = await startGateway({ dataDir: data.dir, environment });
after(async () => {
  await gateway.stop();
  await data.remove();
});
const afara = makeCli({ ...environment, USER: "ada" });

const PROOF = "Ticket 4711: their operations say so, 10:42";
const resolve = (id: string, as: string, proof = PROOF) =>
  afara(["orders", "resolve", id, "--as", as, "--proof", proof, "--json"]);

interface Message {
  readonly id: string;
  readonly status: string;
  readonly charge: string;
  readonly failure?: { readonly code: string };
  readonly timeline: readonly { readonly status: string; readonly detail?: string }[];
}
const statusOf = async (id: string) => (await gateway.call<Message>("GET", `/sms/status/${id}`)).body;

async function send(): Promise<string> {
  const body = { to: "08031234567", message: "Whose answer is lost", on_ambiguous: "fail" };
  const sent = await gateway.call<Message>("POST", "/sms/send", body);
  assert.equal(sent.status, 202);
  return sent.body.id;
}

/** One message that the network neither takes nor refuses. */
async function loseOne(): Promise<string> {
  await smsc.setFaults({ unansweredSubmits: 1, unansweredAreTaken: false });
  const id = await send();
  await waitFor("a lost answer", async () => (await statusOf(id)).status === "unknown");
  // In test mode the doubt ends by itself after ten seconds; on a slow machine that is soon.
  await db.query("update orders set due_at = now() + interval '1 hour' where state = 'unknown'");
  return id;
}

for (const [as, charge, failure] of [
  ["delivered", "charged", undefined],
  ["undelivered", "charged", "not_delivered"],
  ["failed", "returned", "outcome_unknown"],
] as const)
  test(`a message whose answer was lost is resolved as ${as}: its money is ${charge}, and the proof is kept`, async () => {
    const id = await loseOne();
    const { code, json } = await resolve(id, as);
    assert.deepEqual([code, json()], [0, { ok: true, id, state: as, previous_state: "unknown" }]);

    const message = await statusOf(id);
    assert.deepEqual([message.status, message.charge, message.failure?.code], [as, charge, failure]);
    assert.deepEqual(message.timeline.at(-1)?.detail, "settled by the operator");
    assert.doesNotMatch(JSON.stringify(message), /4711/, "the proof is not the subscriber's to read");

    const shown = (await afara(["orders", "show", id, "--json"])).json<{ timeline: readonly { detail: unknown }[] }>();
    assert.deepEqual(shown.timeline.at(-1)?.detail, { resolved: as, proof: PROOF });
    const { rows } = await db.query(
      "select actor, action, subject, details, reason from audit_log order by number desc",
    );
    assert.partialDeepStrictEqual(rows[0], {
      actor: "ada",
      action: "order.resolve",
      subject: id,
      details: { from: "unknown", to: as },
      reason: PROOF,
    });
    const events = await db.query<{ type: string }>(
      "select type from events where type is not null and order_id = (select id from orders where state = $1) order by version",
      [as],
    );
    assert.deepEqual(
      events.rows.map(({ type }) => type),
      ["sms.unknown", `sms.${as}`],
    );
    assert.equal((await afara(["ledger", "check"])).code, 0);
  });

test("what has ended, is not in doubt, has no proof, or is no end is refused, and nothing is changed or written down", async () => {
  const doubtful = await loseOne();
  const { rows: before } = await db.query("select count(*) as entries from audit_log");
  const ended = await send();
  await waitFor("delivery", async () => (await statusOf(ended)).status === "delivered");
  const later = await gateway.call<Message>("POST", "/sms/send", {
    to: "08031234567",
    message: "Tomorrow",
    send_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  for (const [id, as, proof, told] of [
    [ended, "failed", PROOF, /has ended as delivered, and an end stays/],
    [ended, "lost", PROOF, /has ended as delivered.* "lost" is not an end that there is: those are .*delivered/],
    [later.body.id, "delivered", PROOF, /is scheduled: no answer about it was lost/],
    [doubtful, "delivered", "  ", /A proof is needed/],
    [doubtful, "sent", PROOF, /can be resolved as delivered, undelivered, expired, rejected, failed; not as "sent"/],
    ["msg_01k9z3v1h8e4rb2m6t0c5w7xyd", "failed", PROOF, /There is no order/],
  ] as const) {
    const { code, json } = await resolve(id, as, proof);
    assert.equal(code, 1);
    assert.match(json<{ detail: string }>().detail, told);
  }
  const without = await afara(["orders", "resolve", doubtful, "--as", "failed"]);
  assert.deepEqual([without.code, /--proof/.test(without.err)], [2, true]);
  assert.equal((await statusOf(doubtful)).status, "unknown");
  const { rows: now } = await db.query("select count(*) as entries from audit_log");
  assert.deepEqual(now, before);
});

test("an order that a node holds at this moment is refused, and resolved once it is free", async () => {
  const id = await loseOne();
  await db.query("update orders set leased_until = now() + interval '1 hour' where state = 'unknown'");
  const held = await resolve(id, "failed");
  assert.deepEqual([held.code, /at work on it/.test(held.out)], [1, true]);
  await db.query("update orders set leased_until = null where state = 'unknown'");
  assert.equal((await resolve(id, "failed")).code, 0);
  const again = await resolve(id, "delivered");
  assert.equal(again.code, 1, "it ends once");
});
