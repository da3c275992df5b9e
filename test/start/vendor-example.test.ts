import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ScriptedSmsc } from "../../src/providers/smpp/scripted-smsc.ts";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

const ROOT = join(import.meta.dirname, "..", "..");

test("the example of the page on SMPP, pasted into the configuration, binds to the SMSC that it names", async (t) => {
  const smsc = await ScriptedSmsc.listen();
  const data = await makeDataDir();
  let gateway: Gateway | undefined;
  // A data directory in which somebody still writes can't be removed.
  t.after(async () => {
    await gateway?.stop();
    await smsc.close();
    await data.remove();
  });
  const page = await readFile(join(ROOT, "docs/providers/smpp.md"), "utf8");
  const [provider, route] = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? "");
  const config = (await readFile(join(ROOT, "afara.config.ts"), "utf8"))
    .replace('"./src/config-file.ts"', JSON.stringify(join(ROOT, "src/config-file.ts")))
    .replace("  providers: {\n", `  providers: {\n${provider}`)
    .replace("  routes: [", `  routes: [${route}`)
    // Only where it is: this SMSC is on this machine and has no certificate.
    .replace('"smsc.example.ng"', '"127.0.0.1"')
    .replace("port: 3550", `port: ${smsc.port}`)
    .replace("tls: true", "tls: false");
  const path = join(data.dir, "afara.config.ts");
  await writeFile(path, config);
  gateway = await startGateway({
    dataDir: data.dir,
    environment: { AFARA_CONFIG: path, EXAMPLE_SMSC_PASSWORD: "s3cret" },
  });
  await waitFor("both binds", () => smsc.received("bind_transceiver").length === 2);
  assert.deepEqual(
    smsc.received("bind_transceiver").map(({ system_id, password }) => [system_id, password]),
    [
      ["afara", "s3cret"],
      ["afara", "s3cret"],
    ],
  );
});
