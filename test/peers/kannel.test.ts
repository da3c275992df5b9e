import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { eventually, testSmsc } from "../../src/simulators/smsc/rig.ts";
import { needs } from "../../src/testing/needs.ts";
import { startKannel } from "./kannel.ts";

/** An HTTP server that answers everything with an empty 200 and keeps the URLs. */
async function listener(t: TestContext): Promise<{ readonly base: string; readonly urls: URL[] }> {
  const urls: URL[] = [];
  const server = createServer((request, response) => {
    urls.push(new URL(request.url ?? "/", "http://listener"));
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return { base: `http://127.0.0.1:${address.port}`, urls };
}

test("Kannel sends through our SMSC: texts arrive as written, each end is reported, and a handset's message comes in", {
  skip: needs("kannel"),
}, async (t) => {
  const { smsc, port } = await testSmsc(t);
  const { base, urls } = await listener(t);
  const kannel = await startKannel(t, { smppPort: port, moUrl: `${base}/mo` });
  /** Kannel's own words for what came: 1 delivered, 2 not delivered, 8 taken by the SMSC, 16 refused by it. */
  const typesOf = (name: string) =>
    urls.filter(({ pathname }) => pathname === `/${name}`).map(({ searchParams }) => Number(searchParams.get("type")));
  const textsOn = (phone: string) => smsc.handsets.messages(phone).map(({ text, parts }) => ({ text, parts }));

  const gsm = "Total: €5 [ok] {a} @ _ $ £ è";
  assert.equal(await kannel.send({ to: "2348031234567", text: gsm, dlrUrl: `${base}/gsm` }), 202);
  await eventually(() => typesOf("gsm").includes(1));
  assert.ok(typesOf("gsm").includes(8));
  assert.deepEqual(textsOn("2348031234567"), [{ text: gsm, parts: 1 }]);

  const long = "0123456789".repeat(40);
  await kannel.send({ to: "2348031234568", text: long, dlrUrl: `${base}/long` });
  await eventually(() => typesOf("long").includes(1)); // which is one part's; the others may still be on their way
  await eventually(() => textsOn("2348031234568").length > 0);
  assert.deepEqual(textsOn("2348031234568"), [{ text: long, parts: 3 }]);

  const unicode = "Ẹ kú àárọ̀, ₦5000 😀";
  await kannel.send({ to: "2348031234569", text: unicode, dlrUrl: `${base}/ucs2`, coding: 2 });
  await eventually(() => typesOf("ucs2").includes(1));
  assert.deepEqual(textsOn("2348031234569"), [{ text: unicode, parts: 1 }]);

  await kannel.send({ to: "2348000000002", text: "absent", dlrUrl: `${base}/undelivered` });
  await eventually(() => typesOf("undelivered").includes(2));
  await kannel.send({ to: "2348000000001", text: "nobody", dlrUrl: `${base}/refused` });
  await eventually(() => typesOf("refused").includes(16));

  smsc.handsetWrites({ from: "2348031234567", to: "32811", text: "STOP" });
  const mo = await eventually(() => urls.find(({ pathname }) => pathname === "/mo"));
  // The `+` is Kannel's, for the type of number "international".
  assert.deepEqual(
    ["from", "to", "text"].map((name) => mo.searchParams.get(name)),
    ["+2348031234567", "32811", "STOP"],
  );
  await eventually(() => smsc.stats.owed === 0);
});
