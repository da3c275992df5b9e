import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

const database = await makeTestDatabase();
const [front, back] = [await makeDataDir(), await makeDataDir()];
after(() => Promise.all([front.remove(), back.remove()]));
const SECRET = "one secret for both of the nodes, long enough";
const environmentOf = (role: string, config?: string) => ({
  DATABASE_URL: database.url,
  AFARA_ROLE: role,
  AFARA_SECRET: SECRET,
  ...(config !== undefined && { AFARA_CONFIG: config }),
});

test("an api node starts no simulator, and shows the handsets of the dispatching node's when it knows its ports", async (t) => {
  const config = await writeTestConfig(back.dir);
  const dispatcher = await startGateway({ dataDir: back.dir, environment: environmentOf("dispatcher", config.path) });
  t.after(() => dispatcher.stop());
  const api = await startGateway({ dataDir: front.dir, environment: environmentOf("api", config.path) });
  t.after(() => api.stop());

  assert.equal(existsSync(join(back.dir, "smsc")), true);
  assert.equal(existsSync(join(front.dir, "smsc")), false);
  const sent = await api.call("POST", "/sms/send", { to: "08031234567", message: "From one node to the other" });
  assert.equal(sent.status, 202);
  await waitFor("the handset has it", async () => {
    const { body } = await api.call<{ messages: readonly { text: string }[] }>("GET", "/test/handsets/08031234567");
    return body.messages.some(({ text }) => text === "From one node to the other");
  });
});

test("an api node that can't know where the simulator listens says so when it is asked for a handset", async (t) => {
  const api = await startGateway({ dataDir: front.dir, environment: environmentOf("api") });
  t.after(() => api.stop());
  const { status, body } = await api.call("GET", "/test/handsets/08031234567");
  assert.equal(status, 503);
  assert.deepEqual([body.code, /fixed ports/.test(String(body.detail))], ["provider_unavailable", true]);
  assert.equal(existsSync(join(front.dir, "smsc")), false);
});
