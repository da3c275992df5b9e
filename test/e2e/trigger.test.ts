import assert from "node:assert/strict";
import { test } from "node:test";
import { TRIGGERS } from "../../src/app/triggers.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { type Problem, startRig } from "./rig.ts";

/** `./afara trigger`: every type of event that test mode can make. */
const rig = await startRig();
const afara = makeCli({});
/** Of the ten streams that a key may have: a gateway notices a moment later that one was closed. */
const AT_ONCE = 6;
const access = ["--key", rig.local.key, "--url", rig.gateway.base];

test("every event type is made by trigger, or it says how to see one", async () => {
  const { body } = await rig.local.post<Problem>("/webhooks", {
    url: "http://localhost:3000",
    types: ["nothing.here"],
  });
  const [, known = ""] = /There are ([a-z_., ]+); /.exec(body.errors?.[0]?.detail ?? "") ?? [];
  assert.deepEqual(Object.keys(TRIGGERS).sort(), known.split(", ").sort());
  for (const trigger of Object.values(TRIGGERS)) if (typeof trigger !== "function") assert.match(trigger.never, /\.$/);
});

test("trigger makes each of them and shows it, or says that it can't", { concurrency: AT_ONCE }, async (t) => {
  const each = Object.entries(TRIGGERS).map(([type, trigger]) =>
    t.test(type, async () => {
      const run = await afara(["trigger", type, "--json", ...access]);
      if (typeof trigger === "function") {
        assert.equal(run.code, 0, run.err);
        assert.equal(run.json<{ type: string }>().type, type);
      } else {
        assert.equal(run.code, 2);
        assert.ok(run.err.includes(trigger.never));
      }
    }),
  );
  await Promise.all(each);
});

test("without a type all are listed, a misspelt one is corrected, and a live key is refused", async () => {
  const list = await afara(["trigger"]);
  assert.equal(list.code, 0);
  for (const type of Object.keys(TRIGGERS)) assert.ok(list.out.includes(type));
  const misspelt = await afara(["trigger", "sms.deliverd", ...access]);
  assert.match(misspelt.err, /^There is no event sms\.deliverd\. Did you mean sms\.delivered\?/);
  const { key } = await rig.subscriber({ mode: "live" });
  const live = await afara(["trigger", "sms.sent", "--key", key, "--url", rig.gateway.base]);
  assert.match(live.err, /give a test key/);
  assert.deepEqual([misspelt.code, live.code], [2, 2]);
});
