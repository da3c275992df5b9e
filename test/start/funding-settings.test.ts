import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import own from "../../afara.config.ts";
import type { Config } from "../../src/config.ts";
import { type ConfigFile, faultsOfConfig } from "../../src/config-file.ts";
import { ADAPTERS, faultsOfProviders } from "../../src/provider-connections.ts";
import { SILENT } from "../../src/testing/database.ts";

const faultsOf = (funding: ConfigFile["funding"]): readonly string[] =>
  faultsOfProviders({ file: { ...own, funding } } as Config, {
    clock: { now: () => new Date(), monotonicMs: () => 0 },
    log: SILENT,
    fetch,
  });

test("a gateway is told at its start what is wrong with the settings of top-ups", () => {
  const [unknown] = faultsOf({ adapter: "paystak", settings: {} });
  assert.equal(unknown, 'funding.adapter: "paystak" is not one; there are paystack');
  const missing = faultsOf({ adapter: "paystack", settings: { secretKey: undefined } });
  assert.ok(missing.every((fault) => fault.startsWith("funding.settings: ")));
  assert.match(missing.join("\n"), /secretKey/);
  assert.match(missing.join("\n"), /customerEmail/);
});

test("the example of the page for operators has no fault", async () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "providers", "paystack.md"), "utf8");
  const [, block = ""] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
  const module = `const process = { env: { PAYSTACK_SECRET_KEY: "sk_live_example" } }; export default {${block}};`;
  const { default: example } = (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
    default: Pick<ConfigFile, "funding">;
  };
  assert.equal(example.funding?.adapter, "paystack");
  assert.deepEqual(faultsOfConfig({ ...own, ...example }, ADAPTERS), []);
  assert.deepEqual(faultsOf(example.funding), []);
});
