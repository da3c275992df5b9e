import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { test } from "node:test";
import { signatureOf } from "../../src/providers/whatsapp-cloud/wire/signature.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { SECRET } from "../e2e/meta.ts";
import { phone, startRig } from "../e2e/rig.ts";

/** A vendor that has much to say at once: signed callbacks of a megabyte, many at a time, on the running gateway. */

const rig = await startRig();

const CALLS = 30;
const AT_ONCE = 20;
const MESSAGES = 40;
const MEMORY_MB = 250;
const TEXT = "Where is my order? I have waited for it since morning. ".repeat(470);

/** Some 1 MB: what many people wrote. */
const bodyOf = (call: number): string =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "100000000000001",
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "2347000000001", phone_number_id: "200000000000001" },
              messages: Array.from({ length: MESSAGES }, (_, index) => ({
                from: phone(index).slice(1),
                id: `wamid.large.${call}.${index}`,
                timestamp: String(Math.floor(Date.now() / 1_000)),
                type: "text",
                text: { body: `${index} ${TEXT}` },
              })),
            },
          },
        ],
      },
    ],
  });

/** The status, once there is one; a connection that ends without is an answer, too: none. */
function callBack(body: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-hub-signature-256": signatureOf(SECRET, body),
  };
  return new Promise((resolve) => {
    const url = `${rig.gateway.base}/callbacks/whatsapp-simulator`;
    const sent = request(url, { method: "POST", agent: false, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
    sent.end(body);
  });
}

const memoryMb = async (): Promise<number> =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${rig.gateway.pid}/status`, "utf8"))?.[1]) / 1_024;

const storedOf = async (call: number): Promise<readonly [messages: number, different: number]> => {
  const { rows } = await rig.db.query<{ messages: number; different: number }>(
    `select count(*)::int as messages, count(distinct provider_reference)::int as different from chat_inbound
      where provider_reference like $1`,
    [`wamid.large.${call}.%`],
  );
  return [rows[0]!.messages, rows[0]!.different];
};

test("large signed callbacks, many at a time: each 200 is stored, what is refused comes again, and a bystander is served", async (t) => {
  await rig.local.send({ to: phone(900), message: "before" });
  const beforeMb = await memoryMb();
  let mostMb = beforeMb;
  let next = 0;
  let done = 0;
  const answers = new Map<number, number>();
  const answersOf = (status: number) => answers.get(status) ?? 0;
  const caller = async () => {
    for (let call = next++; call < CALLS; call = next++) {
      const body = bodyOf(call);
      // As Meta does, until it is taken.
      for (;;) {
        const then = done;
        const status = await callBack(body);
        answers.set(status, answersOf(status) + 1);
        if (status === 200) break;
        assert.equal(status, 503);
        await waitFor("another to be done", () => done > then);
      }
      done += 1;
    }
  };
  const callers = Promise.all(Array.from({ length: AT_ONCE }, caller));
  const waits: number[] = [];
  while (done < CALLS) {
    const atMs = performance.now();
    await rig.local.send({ to: phone(1_000 + waits.length), message: "Your code is 4471" });
    waits.push(performance.now() - atMs);
    mostMb = Math.max(mostMb, await memoryMb());
  }
  await callers;
  waits.sort((a, b) => a - b);
  const at = (share: number) => Math.round(waits[Math.floor(waits.length * share)]!);
  t.diagnostic(
    `${JSON.stringify(Object.fromEntries(answers))}, ${waits.length} sends: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${Math.round(beforeMb)} to ${Math.round(mostMb)} MB`,
  );
  assert.equal(answersOf(200), CALLS);
  assert.ok(answersOf(503) > 0, "some find no room: 20 MB are more than one address may have");
  for (let call = 0; call < CALLS; call += 1) assert.deepEqual(await storedOf(call), [MESSAGES, MESSAGES]);
  assert.ok(waits.length > CALLS, "the bystander is served more often than callbacks are");
  assert.ok(mostMb - beforeMb < MEMORY_MB, `${mostMb - beforeMb} MB more`);
});

rig.provesItsLedger();
