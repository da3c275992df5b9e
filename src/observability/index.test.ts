import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

/** What the gateway imports from here on. */
const imported: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    imported.push(specifier);
    return next(specifier, context);
  },
});
const telemetry = () => imported.filter((specifier) => specifier.startsWith("@opentelemetry/"));

test("without a collector nothing of OpenTelemetry is loaded, and nobody makes spans", async () => {
  await import("../app/app.ts");
  const { makeObservabilityPart } = await import("./index.ts");
  const { newUuid } = await import("../kernel/ids.ts");
  const { StandingClock } = await import("../testing/http-rig.ts");
  const silent = () => undefined;
  const parts = {
    node: newUuid(),
    clock: new StandingClock(),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    admin: { host: "127.0.0.1", port: undefined },
    mustListen: false,
  };
  const without = await makeObservabilityPart({ ...parts, tracing: undefined });
  assert.ok(imported.length > 100, "imports are seen");
  assert.deepEqual([without.watching.tracing.isOn, telemetry()], [false, []]);
  const tracing = { endpoint: "http://127.0.0.1:1", serviceName: "afara", ratio: 1 };
  const other = await makeObservabilityPart({ ...parts, tracing });
  assert.ok(other.watching.tracing.isOn);
  assert.ok(telemetry().includes("@opentelemetry/sdk-trace"), "this is how it would be seen");
  await other.stop();
});
