import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import type { ConfigFile } from "../../src/config/operator-file.ts";
import { endWithFile } from "../../src/testing/end-with-file.ts";
import { freePort } from "../../src/testing/gateway.ts";
import { needs } from "../../src/testing/needs.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { openGuide } from "./guide.ts";
import { buy, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { startRig } from "./rig.ts";

type Route = ConfigFile["routes"][number];

const rig = await startRig();
const guide = await openGuide("vendor-simulators.md", rig);
const skip = needs("curl");

/** What a block printed, one answer a line or several in one. */
const objects = (printed: string): readonly string[] => printed.split(/(?<=\})\s*(?=\{)/);

test("the start says where the simulated vendors are steered, and the data directory keeps it", () => {
  const [, address] = /Simulated vendors are steered at (\S+) /.exec(rig.gateway.output()) ?? [];
  assert.equal(address, rig.vendors.url);
});

test("the guide's scenarios are met by a test key's next purchases", { skip }, async () => {
  const pending = await guide.following("steered-0001");
  assert.match(pending, /HTTP\/1\.1 202 /);
  const [, id = ""] = /"id":"(pur_\w+)"/.exec(pending) ?? [];
  await purchaseBecomes(rig.local, { id, object: "airtime" }, "successful");

  const [, bought = "", changed = "", verified = ""] = objects(await guide.following("steered-0002"));
  const { tokens } = JSON.parse(bought) as Purchase;
  assert.deepEqual(
    tokens?.map(({ kind }) => kind),
    ["kct1", "kct2", "credit"],
  );
  assert.match(changed, /"name":"ADA OBI"/);
  assert.match(verified, /"name":"ADA OBI"/);
});

test("the guide's commands by hand do what it says", { skip }, async (t) => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const elsewhere = (command: string) =>
    command.replaceAll(/\b809([012])\b/g, (_, port) => String(ports[Number(port)]));
  const blocks = guide.blocks("sh").map(elsewhere);
  const byHand = (part: string) => {
    const found = blocks.filter((command) => command.includes(part));
    assert.equal(found.length, 1, part);
    return spawn("sh", ["-euc", part === "main.ts" ? `exec ${found[0]}` : found[0]!], { cwd: guide.folder });
  };
  const printed = async (part: string): Promise<string> => {
    const { stdout } = byHand(part);
    return (await stdout.setEncoding("utf8").toArray()).join("");
  };
  const simulators = byHand("main.ts");
  endWithFile(simulators);
  t.after(() => simulators.kill());
  let ready = "";
  simulators.stdout.on("data", (chunk: Buffer) => (ready += chunk));
  await waitFor("the simulators", () => ready.includes("\n") || undefined);
  assert.match(ready, new RegExp(`^\\{"ready":true,"ports":\\{.*"vtpass":${ports[1]}.*"controlPort":${ports[0]}\\}`));

  const meter = await printed("byhand01");
  const [, token = "none"] = /Token : (\d{20})/.exec(meter) ?? [];
  assert.equal(meter.split(token).length > 2, true, "sold, and at the meter");
  const silent = await printed("byhand02");
  assert.match(silent, /no answer[\s\S]*"status":"pending"[\s\S]*"status":"delivered"[\s\S]*"airtime":\[\{/);
  const chat = await printed("Thank you");
  assert.match(chat, /"messaging_product":"whatsapp"[\s\S]*"messages":\[\{[\s\S]*"id":"wamid/);
});

test("the guide's routes take test keys to the other two vendors", async () => {
  const [block = ""] = guide.blocks("ts");
  const written = [...block.matchAll(/^\{ (.*) \},$/gm)].map(
    ([, route = ""]) => JSON.parse(`{${route.replaceAll(/(\w+):/g, '"$1":').replaceAll("_", "")}}`) as Route,
  );
  const elsewhere = await startRig((config) => ({
    ...config,
    routes: [...config.routes.filter(({ provider }) => provider !== "vtpass-simulator"), ...written],
  }));
  for (const [path, body] of [
    ["/airtime/topup", { to: "08031234567", amount: 500 }],
    [
      "/electricity/purchase",
      { meter_number: "11111111111", disco: "ikeja-electric", amount: 2_000, to: "08031234567" },
    ],
  ] as const)
    await purchaseBecomes(elsewhere.local, purchaseIn(await buy(elsewhere.local, path, body)), "successful");
  for (const vendor of ["reloadly", "buypower"])
    assert.equal((await elsewhere.vendors.vends(vendor)).length, 1, vendor);
});

test("every command of the guide is run here", () => {
  assert.equal(guide.blocks("sh").length, 7);
});

rig.provesItsLedger();
