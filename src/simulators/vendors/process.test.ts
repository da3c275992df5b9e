import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { waitFor } from "../../testing/wait-for.ts";
import { superviseVendors } from "../supervisor.ts";
import { VendorClient, type VendorControlError } from "./client.ts";
import { testVendors } from "./rig.ts";
import { startVendors } from "./spawn.ts";

function temporaryDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "afara-vendors-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const requestId = (suffix: string): string =>
  new Date(Date.now() + 3_600_000).toISOString().replaceAll(/[-T:]/g, "").slice(0, 12) + suffix;

function buy(port: number | undefined, suffix: string, serviceID: string, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/api/pay`, {
    method: "POST",
    headers: { "api-key": "simulated-api-key", "secret-key": "SK_simulated" },
    body: JSON.stringify({ request_id: requestId(suffix), serviceID, amount: 5_000, phone: "08031234567", ...body }),
  });
}
const buyTokens = (port: number | undefined, suffix: string, meter: string) =>
  buy(port, suffix, "abuja-electric", { billersCode: meter, variation_code: "prepaid" });

test("after a SIGKILL in the midst of sales everything that was answered is known, and tokens are still taken once", async (t) => {
  const dataDir = temporaryDir(t);
  const first = await startVendors({ dataDir });
  t.after(() => first.kill());
  const answered: string[] = [];
  const selling = (async () => {
    for (let sale = 0; ; sale++) {
      const response = await buyTokens(first.ports.vtpass, `kill${sale}`, `1${String(sale).padStart(10, "0")}`);
      const body = (await response.json()) as { code: string; requestId: string };
      assert.equal(body.code, "000");
      answered.push(body.requestId);
    }
  })().catch(() => undefined);
  await waitFor("a hundred sales", () => answered.length >= 100);
  const control = new VendorClient(first.controlPort, fetch);
  const [token] = await control.tokens("10000000000");
  assert.equal((await control.enterToken("10000000000", token?.value ?? "")).result, "accepted");
  await first.kill();
  await selling;

  const next = await startVendors({ dataDir });
  t.after(() => next.kill());
  const again = new VendorClient(next.controlPort, fetch);
  const known = new Set((await again.vends("vtpass")).map(({ reference }) => reference));
  assert.deepEqual(
    answered.filter((reference) => !known.has(reference)),
    [],
  );
  assert.ok((await again.calls("vtpass")).length >= answered.length);
  assert.deepEqual(await again.enterToken("10000000000", token?.value ?? ""), { result: "used" });
  const [second] = await again.tokens("10000000001");
  assert.deepEqual(await again.enterToken("10000000000", second?.value ?? ""), { result: "wrong_meter" });
  assert.deepEqual(await again.enterToken("10000000000", "12345678901234567890"), { result: "invalid" });
});

test("a callback that is owed when the process dies is made after the restart", async (t) => {
  const dataDir = temporaryDir(t);
  const first = await startVendors({ dataDir });
  t.after(() => first.kill());
  const control = new VendorClient(first.controlPort, fetch);
  let calls = 0;
  const receiver = createServer((_request, response) => {
    calls += 1;
    response.end('{"response":"success"}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  t.after(() => receiver.close());
  const address = receiver.address();
  await control.callbackUrl("vtpass", `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`);
  await control.scenario("vtpass", "pending_then_delivered", { afterMs: 400 });
  await buy(first.ports.vtpass, "owed", "mtn", { amount: 500 });
  await first.kill();
  assert.equal(calls, 0);
  const next = await startVendors({ dataDir });
  t.after(() => next.kill());
  await waitFor("the callback", () => calls === 1);
});

test("a simulator that dies is started again at the same ports", async (t) => {
  const warnings: object[] = [];
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: (fields: object) => void warnings.push(fields), error: quiet };
  const { ports, client, stop, pid } = await superviseVendors({ dataDir: temporaryDir(t) }, log, fetch);
  t.after(stop);
  process.kill(pid(), "SIGKILL");
  await waitFor("the control API again", async () => {
    const calls = await client.calls("vtpass").catch(() => undefined);
    return calls !== undefined && warnings.length === 1;
  });
  assert.equal((await buy(ports.vtpass, "again", "mtn", { amount: 500 })).status, 200);
});

test("by hand it says where it listens, ends in order with SIGTERM, and names what it lacks", async (t) => {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const wrong = spawn(process.execPath, [main], { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  wrong.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  assert.deepEqual(await once(wrong, "close"), [1, null]);
  assert.match(complaint, /--data DIR is needed/);

  const byHand = await startVendors({ dataDir: temporaryDir(t), exitWithParent: false });
  await byHand.stop();
  await byHand.ended;
});

test("the control API says what it does not have, and takes nothing that it can't read", async (t) => {
  const { client, controlPort } = await testVendors(t);
  await assert.rejects(client.calls("no-such-vendor"), (error: VendorControlError) => error.status === 404);
  const post = async (path: string, body: unknown) =>
    (await fetch(`http://127.0.0.1:${controlPort}/control/${path}`, { method: "POST", body: JSON.stringify(body) }))
      .status;
  assert.equal(await post("vtpass/scenarios", { scenario: "no such" }), 400);
  assert.equal(await post("vtpass/scenarios", { scenario: "success", times: 0 }), 400);
  assert.equal(await post("vtpass/scenarios", { scenario: "success", recipient: "meter" }), 400);
  assert.equal(await post("vtpass/settings", { noSuch: 1 }), 400);
  assert.equal(await post("callback-url", { vendor: "vtpass", url: "nowhere" }), 400);
  assert.equal(await post("meters/10000000001", { arrearsKobo: 5 }), 400);
  assert.equal(await post("nothing", {}), 404);
});

test("a reset forgets everything", async (t) => {
  const { client, ports } = await testVendors(t);
  await buyTokens(ports.vtpass, "reset", "10000000001");
  await client.changeMeter("10000000001", { name: "ANOTHER" });
  await client.reset();
  assert.deepEqual(await client.vends("vtpass"), []);
  assert.deepEqual(await client.calls("vtpass"), []);
  assert.deepEqual(await client.tokens("10000000001"), []);
});
