import assert from "node:assert/strict";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCli } from "../../src/cli/program.ts";
import { freePort } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { phone, startRig } from "./rig.ts";

/** Takes connections and says nothing. */
const silent = createServer(() => undefined);
await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
after(() => silent.close());
const silentPort = (silent.address() as { port: number }).port;
const nobodysPort = await freePort();

const vtpass = (port: number) => ({
  adapter: "vtpass",
  settings: { apiKey: "k", publicKey: "PK_hush", secretKey: "SK_hush", baseUrl: `http://127.0.0.1:${port}` },
});
const smpp = (port: number, password: string) => ({
  adapter: "smpp",
  settings: { host: "127.0.0.1", port, systemId: "hush", password, tls: false },
});
const startedMs = performance.now();
const rig = await startRig((config) => ({
  ...config,
  providers: {
    ...config.providers,
    "nobody-there": vtpass(nobodysPort),
    "says-nothing": vtpass(silentPort),
    "silent-smsc": smpp(silentPort, "hush"),
    "no-smsc": smpp(nobodysPort, "hush"),
  },
  routes: [
    ...config.routes,
    { provider: "nobody-there", service: "airtime", modes: ["live"], window: 10, ratePerSecond: 10 },
    { provider: "says-nothing", service: "electricity", modes: ["live"], window: 10, ratePerSecond: 10 },
    { provider: "silent-smsc", service: "sms", modes: ["live"], window: 10, ratePerSecond: 10 },
    { provider: "no-smsc", service: "sms", modes: ["live"], window: 10, ratePerSecond: 10 },
  ],
  funding: {
    adapter: "paystack",
    settings: {
      secretKey: "sk_test_hush",
      sandbox: true,
      customerEmail: "a+{account}@example.ng",
      baseUrl: `http://127.0.0.1:${nobodysPort}`,
    },
  },
}));

async function afara(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const take = (line: string) => {
    text += line;
  };
  const code = await runCli(
    args,
    {
      environment: { ...rig.environment, USER: "ada" },
      root: join(import.meta.dirname, "..", ".."),
      clock: { now: () => new Date(), monotonicMs: () => performance.now() },
      readInput: async () => "",
    },
    { print: take, complain: take },
  );
  return { code, text };
}

interface Shown {
  readonly state: string;
  readonly detail: string | null;
  readonly since: string;
  readonly reached_at: string | null;
}
interface Status {
  readonly ok: boolean;
  readonly providers: readonly { readonly name: string; readonly contact: Shown | null }[];
  readonly funding: { readonly contact: Shown };
}
const status = async () => JSON.parse((await afara("providers", "status", "--json")).text) as Status;

test("within ten seconds of the start it is known of each vendor whether it was reached, and why not", async () => {
  const shown = await waitFor("a word on each", async () => {
    const now = await status();
    const words = [...now.providers.flatMap(({ contact }) => contact ?? []), now.funding.contact];
    return words.every(({ state, detail }) => state === "reached" || detail !== null) ? now : undefined;
  });
  const of = new Map(shown.providers.map(({ name, contact }) => [name, contact]));
  const words = (name: string) => `${of.get(name)?.state}: ${of.get(name)?.detail}`;
  assert.equal(shown.ok, false);
  assert.match(words("nobody-there"), /^never_reached: nothing listens at its address \(ECONNREFUSED\)$/);
  assert.match(words("says-nothing"), /^never_reached: no whole answer within 8000 ms$/);
  assert.match(words("silent-smsc"), /^never_reached: no answer to a bind within 8000 ms$/);
  assert.match(words("no-smsc"), /^never_reached: .*ECONNREFUSED/);
  assert.equal(shown.funding.contact.state, "never_reached");
  assert.match(shown.funding.contact.detail ?? "", /ECONNREFUSED/);
  for (const name of ["smsc-simulator", "vtpass-simulator", "whatsapp-simulator"]) {
    assert.equal(of.get(name)?.state, "reached", name);
    assert.ok(Date.parse(of.get(name)!.reached_at!) > Date.now() - 600_000);
  }
  assert.doesNotMatch(JSON.stringify(shown), /hush/);
  assert.ok(performance.now() - startedMs > 8_000, "the two that are silent were waited for");
});

test("doctor and status say it in words, each vendor by its name, and end with 1", async () => {
  const told = await afara("providers", "status");
  assert.equal(told.code, 1);
  assert.match(told.text, /nobody-there [\s\S]*?never reached, asked since 20[\d-]+T[\d:.]+Z: nothing listens/);
  assert.match(told.text, /smsc-simulator [\s\S]*?ready on 1 of 1 nodes\n +reached, last at 20/);
  assert.match(told.text, /paystack +paystack +top-ups[\s\S]*never reached, asked since/);
  const doctor = await afara("doctor");
  assert.equal(doctor.code, 1);
  assert.match(doctor.text, /✖ connections [\s\S]*nobody-there: [\s\S]*never reached/);
  assert.match(doctor.text, /paystack: [\s\S]*never reached/);
});

test("a gateway with dead vendors is ready, and sells over those that are there", async () => {
  const { status: code } = await rig.gateway.call("GET", "/readyz");
  assert.equal(code, 200);
  const { id } = await rig.local.send({ to: phone(1), message: "Hello" });
  await rig.local.reached(id, "delivered");
});

test("a vendor that is lost says when it was last reached, and one that refuses us since when; back again, it is reached", async (t) => {
  t.after(() => rig.smsc.setFaults({ bindsRefused: false }));
  const smsc = async () => (await status()).providers.find(({ name }) => name === "smsc-simulator")!.contact!;
  const before = await smsc();
  await rig.smsc.setFaults({ bindsRefused: true });
  await rig.smsc.hangUp();
  const refused = await waitFor("the refusal", async () => {
    const now = await smsc();
    return now.state === "refused" ? now : undefined;
  });
  assert.match(refused.detail ?? "", /bind refused: RBINDFAIL/);
  assert.equal(refused.reached_at, before.reached_at);
  assert.ok(refused.since > before.since);
  assert.match((await afara("providers", "status")).text, /refused since 20[\s\S]*?last reached 20/);
  await rig.smsc.setFaults({ bindsRefused: false });
  await waitFor("it is back", async () => (await smsc()).state === "reached");
});

rig.provesItsLedger();
