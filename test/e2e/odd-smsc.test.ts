import assert from "node:assert/strict";
import { test } from "node:test";
import { assignInboundNumber } from "../../src/accounts/inbound-numbers.repo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Message, phone, startRig } from "./rig.ts";

/** What SMSCs other than the simulator write, through the whole gateway: the adapter, the engine and the database. */

const rig = await startRig();
const { db, local, smsc } = rig;

const utf16be = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex");
const UMR = 0x0204;

/** Sends a message that the SMSC reads and does not answer; gives its id and the reference that the SMSC saw. */
async function sendUnanswered(to: string) {
  await smsc.setFaults({ unansweredSubmits: 1 });
  const { body } = await local.post<Message>("/sms/send", { to, message: "Your code is 4711", on_ambiguous: "fail" });
  const submission = await waitFor("it reaches the SMSC", async () => {
    const { submissions } = await smsc.submissions(0);
    return submissions.find(({ destination }) => destination === to.slice(1));
  });
  return { id: body.id, umr: submission.userMessageReference! };
}

const umrTlv = (umr: number) => ({ tag: UMR, value: umr.toString(16).padStart(4, "0") });
const statusOf = async (id: string) => (await local.get<Message>(`/sms/status/${id}`)).body;

for (const [index, [what, sourceTon, form]] of (
  [
    ["with its trunk 0", 2, (to: string) => `0${to.slice(4)}`],
    ["in its ten digits", 2, (to: string) => to.slice(4)],
    ["with +", 1, (to: string) => to],
  ] as const
).entries()) {
  test(`a receipt in UCS-2 from the number ${what} settles a message whose answer was lost, and the money is taken`, async () => {
    const to = phone(60 + index);
    const { id, umr } = await sendUnanswered(to);
    await waitFor("its answer is given up", async () => (await statusOf(id)).status === "unknown");
    await smsc.deliver({
      source: form(to),
      sourceTon,
      destination: "Afara",
      destinationTon: 5,
      esmClass: 0x04,
      dataCoding: 8,
      message: utf16be(`id:77${index} stat:DELIVERED err:000`),
      tlvs: [umrTlv(umr)],
      trailing: "00",
    });
    const settled = await waitFor("it is settled", async () => {
      const sms = await statusOf(id);
      return sms.status === "delivered" ? sms : undefined;
    });
    assert.equal(settled.charge, "charged");
  });
}

test("a STOP in little-endian UTF-16 with a stray NUL at its end ends promotional messages", async () => {
  const subscriber = await rig.subscriber();
  await assignInboundNumber(db, subscriber.accountId, "2442", "test");
  const from = phone(70);
  await smsc.deliver({
    source: from.slice(1),
    destination: "2442",
    dataCoding: 8,
    message: "fffe530054004f005000",
    trailing: "00",
  });
  const { rows } = await waitFor("it is heard", async () => {
    const seen = await db.query("select phone, source from suppressions where account_id = $1", [subscriber.accountId]);
    return seen.rows.length > 0 ? seen : undefined;
  });
  assert.deepEqual(rows, [{ phone: from.slice(1), source: "recipient" }]);
  await waitFor("it is acknowledged", async () => (await smsc.stats()).owed === 0);
});

rig.provesItsLedger();
