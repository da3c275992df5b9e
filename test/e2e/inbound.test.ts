import assert from "node:assert/strict";
import { test } from "node:test";
import { assignInboundNumber } from "../../src/accounts/inbound-numbers.repo.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import { recordInbound } from "../../src/sms/inbound.repo.ts";
import { areSuppressed, unsuppress } from "../../src/sms/suppressions.repo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig();
const { db, local, smsc } = rig;

interface Inbound {
  id: string;
  sender: string;
  recipient: string;
  body: string;
  owned: boolean;
  events: bigint;
}

/** What a handset's messages have become, with the number of events of each. */
async function inboundOf(sender: string): Promise<readonly Inbound[]> {
  const { rows } = await db.query<Inbound>(
    `select m.id, m.sender, m.recipient, m.body, m.account_id is not null as owned,
            (select count(*) from events e where e.order_id = m.id and e.type = 'sms.received') as events
       from inbound_messages m where m.sender = $1 order by m.received_at, m.id`,
    [sender],
  );
  return rows;
}

const write = (from: string, message: string) =>
  local.post<{ from: string; to: string; message: string }>(`/test/handsets/${encodeURIComponent(from)}/messages`, {
    channel: "sms",
    message,
  });

const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ["a short text", "STOP"],
  ["a text of several parts", "Ẹ káàárọ̀, mo fẹ́ mọ̀ bóyá ọjà mi ti dé. ".repeat(5).normalize("NFC")],
  ["an emoji", "👍🏿"],
  ["the GSM extension table", "{€} [50%] ~ ^ | \\"],
];
for (const [index, [what, text]] of TEXTS.entries()) {
  test(`${what} that a handset writes is recorded once, with one sms.received event`, async () => {
    const from = phone(index);
    const { status, body } = await write(from, text);
    assert.deepEqual([status, body.from, body.message], [202, from, text]);
    const [message, ...more] = await waitFor("the message is recorded", async () => {
      const seen = await inboundOf(from.slice(1));
      return seen.length > 0 ? seen : undefined;
    });
    assert.deepEqual(more, []);
    assert.equal(message?.body, text);
    assert.deepEqual([message?.sender, message?.recipient, message?.owned], [from.slice(1), body.to, true]);
    assert.equal(message?.events, 1n);
  });
}

test("two texts written at once are two messages", async () => {
  const from = phone(20);
  await Promise.all([write(from, "Yes"), write(from, "No")]);
  const messages = await waitFor("both are recorded", async () => {
    const seen = await inboundOf(from.slice(1));
    return seen.length >= 2 ? seen : undefined;
  });
  assert.deepEqual(messages.map(({ body, events }) => [body, events]).sort(), [
    ["No", 1n],
    ["Yes", 1n],
  ]);
});

test("a message to a number that no account has is kept for the operator, without an event", async () => {
  const from = phone(21);
  await smsc.write(from.slice(1), { to: "20009", message: "Hello?" });
  const [message] = await waitFor("the message is recorded", async () => {
    const seen = await inboundOf(from.slice(1));
    return seen.length > 0 ? seen : undefined;
  });
  assert.deepEqual([message?.owned, message?.events, message?.recipient], [false, 0n, "20009"]);
});

for (const [index, form] of ["08012345678", "8012345678", "+2348012345678", "002348012345678"].entries()) {
  test(`STOP to ${form} reaches the account that has 2348012345678, whatever form the handset's own number has`, async () => {
    const subscriber = await rig.subscriber();
    await assignInboundNumber(db, subscriber.accountId, "2348012345678", "test");
    const from = phone(30 + index);
    const forms = [`0${from.slice(4)}`, from.slice(4), from, from.slice(1)];
    await smsc.deliver({ source: forms[index]!, destination: form, message: Buffer.from("STOP").toString("hex") });
    const [message] = await waitFor("the message is recorded", async () => {
      const seen = await inboundOf(from.slice(1));
      return seen.length > 0 ? seen : undefined;
    });
    assert.deepEqual([message?.owned, message?.events, message?.recipient], [true, 1n, "2348012345678"]);
    const { rows } = await db.query("select phone, source from suppressions where account_id = $1", [
      subscriber.accountId,
    ]);
    assert.deepEqual(rows, [{ phone: from.slice(1), source: "recipient" }]);
    await db.query("delete from inbound_numbers where number = '2348012345678'");
  });
}

test("of STOP and START within one minute the last counts, whoever took the first back; a repeated START takes nothing back", async () => {
  const { accountId } = await rig.subscriber();
  await assignInboundNumber(db, accountId, "20005", "test");
  const address = phone(50).slice(1);
  const isOut = async () => {
    const [is] = await areSuppressed(
      db,
      [{ accountId, mode: "test", address, channel: "sms" }],
      new Date(),
      rig.erasedName,
    );
    return is;
  };
  const minuteMs = Date.parse("2026-11-27T09:00:00Z");
  // As the adapter of SMPP names messages that have no name: by content within a minute.
  const says = (text: string, second: number) =>
    recordInbound(
      db,
      "smpp",
      "test",
      newUuid(),
      {
        providerReference: `${address} ${text}`,
        from: address,
        to: "20005",
        text,
        at: new Date(minuteMs + second * 1_000),
      },
      rig.erasedName,
    );
  assert.equal(await says("STOP", 1), accountId);
  await says("START", 2);
  assert.equal(await isOut(), false);
  assert.equal(await says("STOP", 3), undefined, "it is no second message");
  assert.equal(await isOut(), true);
  await says("START", 4);
  assert.equal(await isOut(), true, "it may be the first START again");
  const actor = { kind: "operator", name: "support" } as const;
  const removing = { accountId, mode: "test", address, actor, mayOverrule: true } as const;
  assert.equal(await unsuppress(db, removing, new Date(minuteMs + 5_000), rig.erasedName), "done");
  assert.equal(await isOut(), false);
  await says("STOP", 6);
  assert.equal(await isOut(), true);
  assert.deepEqual(
    (await inboundOf(address)).map(({ body, events }) => [body, events]),
    [
      ["STOP", 1n],
      ["START", 1n],
    ],
  );
});

test("STOP from a ported number, which comes with its routing number, is heeded", async () => {
  const subscriber = await rig.subscriber();
  await assignInboundNumber(db, subscriber.accountId, "20006", "test");
  await smsc.deliver({
    source: "0192348032000023",
    destination: "20006",
    message: Buffer.from("STOP").toString("hex"),
  });
  const [message] = await waitFor("the message is recorded", async () => {
    const seen = await inboundOf("2348032000023");
    return seen.length > 0 ? seen : undefined;
  });
  assert.equal(message?.owned, true);
  const { rows } = await db.query("select phone, source from suppressions where account_id = $1", [
    subscriber.accountId,
  ]);
  assert.deepEqual(rows, [{ phone: "2348032000023", source: "recipient" }]);
});

test("a handset writes to the account of the key, at its own number; an account without one is told so", async () => {
  const subscriber = await rig.subscriber();
  const path = `/test/handsets/${encodeURIComponent(phone(22))}/messages`;
  const body = { channel: "sms", message: "Hi" };
  const refused = await subscriber.post<Problem>(path, body);
  assertProblem(refused);
  assert.deepEqual([refused.status, refused.body.code], [409, "invalid_state"]);
  await assignInboundNumber(db, subscriber.accountId, "20002", "test");
  const { status, body: written } = await subscriber.post<{ to: string }>(path, body);
  assert.deepEqual([status, written.to], [202, "20002"]);
  await waitFor("the message is recorded", async () => (await inboundOf(phone(22).slice(1))).length === 1);
  const { rows } = await db.query<{ account_id: string }>(
    "select account_id from inbound_messages where recipient = '20002'",
  );
  assert.deepEqual(rows, [{ account_id: subscriber.accountId }]);
});

rig.provesItsLedger();
