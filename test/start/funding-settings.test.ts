import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import own from "../../afara.config.ts";
import { ADAPTERS } from "../../src/app/vendors.ts";
import { faultsOfFile } from "../../src/config/faults.ts";
import type { ConfigFile } from "../../src/config/operator-file.ts";
import { placeText } from "../../src/kernel/place.ts";

const faultsOf = (file: unknown): readonly string[] =>
  faultsOfFile({ value: file, source: "" }, { environment: {}, adapters: ADAPTERS, port: 8080 }).map(
    ({ path, detail }) => `${placeText(path)}: ${detail}`,
  );

test("a gateway is told at its start what is wrong with the settings of top-ups", () => {
  const [unknown] = faultsOf({ ...own, funding: { adapter: "paystak", settings: {} } });
  assert.equal(unknown, 'funding.adapter: "paystak" is not one. Did you mean "paystack"?');
  const missing = faultsOf({ ...own, funding: { adapter: "paystack", settings: { secretKey: undefined } } });
  assert.deepEqual(
    missing.map((fault) => fault.split(";")[0]),
    ["funding.settings.secretKey: is missing", "funding.settings.customerEmail: is missing"],
  );
});

test("the example of the page for operators has no fault", async () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "providers", "paystack.md"), "utf8");
  const [, block = ""] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
  const module = `const process = { env: { PAYSTACK_SECRET_KEY: "sk_live_example" } }; export default {${block}};`;
  const { default: example } = (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
    default: Pick<ConfigFile, "funding">;
  };
  assert.equal(example.funding?.adapter, "paystack");
  assert.deepEqual(faultsOf({ ...own, ...example }), []);
});
