import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { SmscClient, SmscControlError } from "./client.ts";
import { Esme, traceTlv } from "./esme.ts";
import type { SubmitLine } from "./log.ts";
import { eventually, loggedLines, temporaryDir } from "./rig.ts";
import { type SmscProcess, type SmscProcessOptions, startSmsc } from "./spawn.ts";

const PHONE = "2348031234567";
const phoneOf = (index: number): string => String(2348030000000 + index);

async function started(t: TestContext, options: SmscProcessOptions): Promise<SmscProcess> {
  const smsc = await startSmsc(options);
  t.after(() => smsc.kill());
  return smsc;
}

test("after a SIGKILL in the midst of submits the log has all that was answered, and what is owed comes after the restart", async (t) => {
  const dataDir = temporaryDir(t);
  const smsc = await started(t, { dataDir });
  const control = new SmscClient(smsc.controlPort, fetch);
  await control.setFaults({ receiptDelayMs: 30 });
  const esme = await Esme.bound(smsc.smppPort);
  const answers = () => esme.received.flatMap((pdu) => (pdu.command === "submit_sm_resp" ? [pdu.message_id] : []));
  // Submits go on, 50 of them unanswered at most, until the connection is gone.
  const submitting = (async () => {
    for (let sent = 0; !esme.isClosed; sent++) {
      esme.sendSubmit(phoneOf(sent), `message ${sent}`, { tlvs: [traceTlv(`order-${sent}`, 1, 0)] });
      if (sent % 10 === 0) await esme.until(() => esme.isClosed || answers().length > sent - 50);
    }
  })();
  // The first receipts are acknowledged, the later ones are not: both kinds are there when the end comes.
  await esme.until(() => esme.deliveries.length >= 50);
  esme.acknowledges = null;
  const soFar = answers().length;
  await esme.until(() => answers().length >= soFar + 500);
  await smsc.kill();
  await esme.closed();
  await submitting;

  const answered = answers();
  const lines = await loggedLines(dataDir);
  const submits = lines.filter((line): line is SubmitLine => line.kind === "submit");
  const logged = new Set(submits.map(({ messageId }) => messageId));
  assert.deepEqual(
    answered.filter((id) => !logged.has(id)),
    [],
  );
  assert.equal(logged.size, submits.length, "no id is given twice");

  const owed = submits.length - lines.filter(({ kind }) => kind === "receipt").length;
  assert.ok(owed >= 500 && owed < submits.length, "receipts are owed when the process dies");
  const next = await started(t, { dataDir });
  const again = await Esme.bound(next.smppPort);
  await again.until(() => again.deliveries.length === owed);
  const nextControl = new SmscClient(next.controlPort, fetch);
  await eventually(async () => (await nextControl.stats()).owed === 0);
  assert.equal((await nextControl.messages(phoneOf(0), ["order-0"]))[0]?.text, "message 0");
  await next.stop();
  const receipts = (await loggedLines(dataDir)).filter(({ kind }) => kind === "receipt");
  assert.equal(new Set(receipts.map(({ messageId }) => messageId)).size, submits.length);
});

test("the control client sees handsets and submissions, sets faults, and writes from a handset", async (t) => {
  const smsc = await started(t, { dataDir: temporaryDir(t), accounts: { esme: "secret" } });
  const control = new SmscClient(smsc.controlPort, fetch);
  assert.equal((await control.setFaults({ receiptDelayMs: 20 })).receiptDelayMs, 20);
  const esme = await Esme.bound(smsc.smppPort);
  await esme.submit(PHONE, "hello", { tlvs: [traceTlv("order", 1, 0)] });
  await esme.until(() => esme.deliveries[0]);
  const [message] = await control.messages(`+${PHONE}`);
  assert.deepEqual(message, {
    channel: "sms",
    from: "AFARA",
    text: "hello",
    parts: 1,
    orderId: "order",
    receivedAt: message?.receivedAt,
  });
  assert.deepEqual(await control.messages(PHONE, ["another order"]), []);
  assert.deepEqual(await control.messages(encodeURIComponent(`+${PHONE}`)), [message]);

  const { submissions, next } = await control.submissions(0);
  assert.deepEqual([submissions.length, submissions[0]?.destination], [1, PHONE]);
  assert.deepEqual(await control.submissions(next), { submissions: [], next });

  assert.ok(await control.write(PHONE, { to: "AFARA", message: "STOP" }));
  await esme.until(() => esme.deliveries[1]?.short_message.toString() === "STOP");
  await eventually(async () => (await control.stats()).owed === 0);
  assert.deepEqual(await control.stats(), {
    submits: 1,
    taken: 1,
    answered: 1,
    receiptsSent: 1,
    receiptsAcknowledged: 1,
    owed: 0,
    connections: 1,
    sessions: 1,
  });
  await control.hangUp();
  await esme.closed();
  await assert.rejects(control.write(PHONE, { to: "AFARA", message: "STOP" }), SmscControlError);
  await assert.rejects(control.messages("no-phone"), SmscControlError);
});

test("stopping is in order and may be asked twice", async (t) => {
  const smsc = await started(t, { dataDir: temporaryDir(t) });
  const esme = await Esme.bound(smsc.smppPort);
  await Promise.all([smsc.stop(), smsc.stop()]);
  assert.ok(esme.received.some(({ command }) => command === "unbind"));
});

test("signals that reach the whole group leave it to the parent to end the simulator", async (t) => {
  const smsc = await started(t, { dataDir: temporaryDir(t) });
  const esme = await Esme.bound(smsc.smppPort);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.kill(smsc.pid, signal);
    await esme.submit(PHONE, `after ${signal}`);
  }
  assert.equal(await new SmscClient(smsc.controlPort, fetch).stats().then(({ taken }) => taken), 2);
  await smsc.stop();
  assert.ok(
    esme.received.some(({ command }) => command === "unbind"),
    "it ends in order all the same",
  );
});

test("a simulator that is to outlive its parent ends in order with SIGTERM", async (t) => {
  const smsc = await started(t, { dataDir: temporaryDir(t), exitWithParent: false });
  const esme = await Esme.bound(smsc.smppPort);
  process.kill(smsc.pid, "SIGTERM");
  await smsc.ended;
  assert.ok(esme.received.some(({ command }) => command === "unbind"));
});

test("a frozen simulator is ended by force", async (t) => {
  const smsc = await started(t, { dataDir: temporaryDir(t) });
  process.kill(smsc.pid, "SIGSTOP");
  await smsc.stop();
  assert.throws(() => process.kill(smsc.pid, 0), { code: "ESRCH" });
});

test("a port that is taken is said, and the start fails", async (t) => {
  const { smppPort } = await started(t, { dataDir: temporaryDir(t) });
  await assert.rejects(startSmsc({ dataDir: temporaryDir(t), smppPort }), /did not start: .*EADDRINUSE/);
});

test("a simulator does not outlive a parent that is killed", async (t) => {
  const script = `
    import { startSmsc } from ${JSON.stringify(new URL("./spawn.ts", import.meta.url).href)};
    const { smppPort } = await startSmsc({ dataDir: ${JSON.stringify(temporaryDir(t))} });
    console.log(smppPort);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => parent.kill("SIGKILL"));
  const [output] = await once(parent.stdout, "data");
  const smppPort = Number(String(output));
  const esme = await Esme.bound(smppPort);
  parent.kill("SIGKILL");
  await esme.closed();
  await eventually(() =>
    Esme.connect(smppPort).then(
      () => false,
      () => true,
    ),
  );
});
