import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { ScriptedSmsc } from "../../src/providers/smpp/scripted-smsc.ts";
import type { PduOf } from "../../src/providers/smpp/wire/pdu.ts";
import { makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** The whole gateway against an SMSC that lies; nothing of it may touch another message than the one it is about. */

const ROOT = join(import.meta.dirname, "..", "..");

const smsc = await ScriptedSmsc.listen();
const data = await makeDataDir();
const config = join(data.dir, "afara.config.ts");
await writeFile(
  config,
  (await readFile(join(ROOT, "afara.config.ts"), "utf8"))
    .replace('"./src/config-file.ts"', JSON.stringify(join(ROOT, "src/config-file.ts")))
    .replace("binds: 2", "binds: 1")
    .replace("smsc: {}", `smsc: { start: false, host: "127.0.0.1", smppPort: ${smsc.port}, controlPort: 1 }`),
);
const gateway = await startGateway({ dataDir: data.dir, environment: { AFARA_CONFIG: config } });
after(async () => {
  await gateway.stop();
  await smsc.close();
  await data.remove();
});

async function send(to: string): Promise<string> {
  const { status, body } = await gateway.call("POST", "/sms/send", { to, message: "Hello", on_ambiguous: "retry" });
  assert.equal(status, 202);
  return String(body.id);
}

const statusOf = async (id: string) => (await gateway.call("GET", `/sms/status/${id}`)).body.status;
const waitForStatus = (id: string, status: string) =>
  waitFor(`a message that is ${status}`, async () => (await statusOf(id)) === status);

let sequence = 1;
/** Resolves when the gateway has acknowledged it. */
async function receipt(text: string, from: string, tlvs: PduOf<"deliver_sm">["tlvs"] = []): Promise<void> {
  const own = sequence++;
  smsc.open[0]?.send({
    command: "deliver_sm",
    sequence: own,
    esm_class: 0x04,
    source_addr: from,
    destination_addr: "Afara",
    short_message: Buffer.from(text),
    tlvs,
  });
  await waitFor("the acknowledgement", () =>
    smsc.received("deliver_sm_resp").some((answer) => answer.sequence === own && answer.status === 0),
  );
}

test("of messages that all have the same id each gets the receipt of its own recipient", async () => {
  smsc.script = { submit_sm: (connection, submit) => connection.respond(submit, { message_id: "SAME" }) };
  const recipients = ["2348031000001", "2348031000002", "2348031000003"];
  const ids = await Promise.all(recipients.map(send));
  for (const id of ids) await waitForStatus(id, "sent");
  await receipt("id:SAME stat:DELIVRD err:000", "2348031000001");
  await receipt("id:SAME stat:UNDELIV err:001", "2348031000002");
  await receipt("id:SAME stat:DELIVRD err:000", "2348031000009");
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ["delivered", "undelivered", "sent"]);
});

test("a message that was taken without a name is delivered once, by the receipt that echoes it", async () => {
  smsc.script = { submit_sm: (connection, submit) => connection.respond(submit, { message_id: "" }) };
  const id = await send("2348031000011");
  await waitForStatus(id, "sent");
  const [submit] = smsc.received("submit_sm").filter(({ destination_addr }) => destination_addr === "2348031000011");
  await receipt(
    "id:xyz1 stat:DELIVRD err:000",
    "2348031000011",
    submit?.tlvs.filter(({ tag }) => tag === 0x0204),
  );
  assert.equal(await statusOf(id), "delivered");
});

test("an acceptance whose id has no end is not sent again, and its receipt finds it", async () => {
  smsc.script = {
    submit_sm: ({ socket }, submit) => {
      const octets = Buffer.concat([Buffer.alloc(16), Buffer.from("noNUL")]);
      octets.writeUInt32BE(octets.length, 0);
      octets.writeUInt32BE(0x8000_0004, 4);
      octets.writeUInt32BE(submit.sequence, 12);
      socket.write(octets);
    },
  };
  const id = await send("2348031000021");
  await waitForStatus(id, "sent");
  await receipt("id:noNUL stat:DELIVRD err:000", "2348031000021");
  assert.equal(await statusOf(id), "delivered");
  const submits = smsc.received("submit_sm").filter(({ destination_addr }) => destination_addr === "2348031000021");
  assert.equal(submits.length, 1);
});

test("of two messages whose answers were swapped neither is called delivered by the other's receipt", async () => {
  const held: PduOf<"submit_sm">[] = [];
  smsc.script = {
    submit_sm: (connection, submit) => {
      held.push(submit);
      const [first, second] = held;
      if (!first || !second) return;
      connection.respond(first, { message_id: `id-${second.destination_addr}` });
      connection.respond(second, { message_id: `id-${first.destination_addr}` });
    },
  };
  const ids = await Promise.all(["2348031000031", "2348031000032"].map(send));
  for (const id of ids) await waitForStatus(id, "sent");
  await receipt("id:id-2348031000031 stat:DELIVRD err:000", "2348031000031");
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ["sent", "sent"]);
});

test("three thousand receipts for messages that were never sent are acknowledged, and messages go on", async () => {
  smsc.script = {};
  const before = smsc.received("deliver_sm_resp").length;
  const [connection] = smsc.open;
  for (let index = 0; index < 3_000; index++)
    connection?.send({
      command: "deliver_sm",
      sequence: sequence++,
      esm_class: 0x04,
      source_addr: "2348031234567",
      destination_addr: "Afara",
      short_message: Buffer.from(`id:never${index} stat:DELIVRD err:000`),
    });
  await waitFor("all answers", () => smsc.received("deliver_sm_resp").length === before + 3_000);
  const id = await send("2348031000041");
  await waitForStatus(id, "sent");
});
