import assert from "node:assert/strict";
import { test } from "node:test";
import { EventSource } from "eventsource";
import { waitFor } from "../../src/testing/wait-for.ts";
import { phone, startRig } from "../e2e/rig.ts";

/** npm's `eventsource`, which others wrote, reads the stream and comes back by itself. */
const rig = await startRig();

interface Heard {
  readonly type: string;
  readonly sequence: number;
  readonly data: { readonly object: { readonly id: string } };
}

/** `calls`: the Last-Event-ID of each of its connections. */
function listen(key: string, calls: (string | null)[]) {
  const heard: Heard[] = [];
  const controllers: AbortController[] = [];
  const source = new EventSource(`${rig.gateway.base}/events/stream`, {
    fetch: (url, init) => {
      const controller = new AbortController();
      controllers.push(controller);
      const headers = new Headers(init.headers);
      calls.push(headers.get("last-event-id"));
      headers.set("x-api-key", key);
      return fetch(url, { ...init, headers, signal: AbortSignal.any([controller.signal, init.signal as AbortSignal]) });
    },
  });
  source.onmessage = ({ data }) => void heard.push(JSON.parse(data));
  return { source, heard, cut: () => controllers.at(-1)!.abort(new Error("cut by the test")) };
}

test("it hears every event by onmessage, and after a break goes on by itself with what it has missed", async () => {
  const subscriber = await rig.subscriber();
  const calls: (string | null)[] = [];
  const { source, heard, cut } = listen(subscriber.key, calls);
  await waitFor("the connection", () => source.readyState === source.OPEN);
  const first = await subscriber.send({ to: phone(1), message: "one" });
  await waitFor("the first message's events", () => heard.length === 2);
  cut();
  const second = await subscriber.send({ to: phone(2), message: "two" });
  await subscriber.ended(second.id);
  await waitFor("what it missed", () => heard.length === 4);
  source.close();
  assert.deepEqual(
    heard.map(({ type, sequence, data }) => [data.object.id, type, sequence]),
    [first, second].flatMap(({ id }) => [
      [id, "sms.sent", 1],
      [id, "sms.delivered", 2],
    ]),
  );
  assert.equal(calls[0], null);
  assert.equal(calls.length, 2);
  assert.match(calls[1]!, /^[A-Za-z0-9_-]+$/);
});

test("it is told with a status why it is not let in, and does not try for ever", async () => {
  const { source } = listen("afara_test_nobody", []);
  const status = await new Promise((resolve) => {
    source.onerror = ({ code }) => resolve(code);
  });
  assert.deepEqual([status, source.readyState], [401, source.CLOSED]);
});

rig.provesItsLedger();
