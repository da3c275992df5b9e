import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { readSmscLog, type SubmitLine } from "../../src/simulators/smsc/log.ts";
import { startSmsc } from "../../src/simulators/smsc/spawn.ts";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { needs } from "../../src/testing/needs.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PASSWORD = "s3cret";

test("an operator's first hour goes as its guide says, from nothing to a live message at the vendor's SMSC", {
  skip: needs("curl"),
}, async (t) => {
  const guide = await readFile(join(ROOT, "docs/guides/operator-first-hour.md"), "utf8");
  const blocksOf = (text: string, language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);

  const [data, vendor] = [await makeDataDir(), await makeDataDir()];
  const smsc = await startSmsc({ dataDir: vendor.dir, accounts: { afara: PASSWORD } });
  let gateway: Gateway | undefined;
  t.after(async () => {
    await gateway?.stop();
    await smsc.stop();
    await Promise.all([data.remove(), vendor.remove()]);
  });

  const [provider = "", route = ""] = blocksOf(guide, "ts");
  const config = (await readFile(join(ROOT, "afara.config.ts"), "utf8"))
    .replace('"./src/config-file.ts"', JSON.stringify(join(ROOT, "src/config-file.ts")))
    .replace("  providers: {\n", `  providers: {\n${provider}`)
    .replace("  routes: [", `  routes: [${route}`)
    // Only where it is: this SMSC is on this machine and has no certificate.
    .replace('"smsc.example.ng"', '"127.0.0.1"')
    .replace("port: 3550", `port: ${smsc.smppPort}`)
    .replace("tls: true", "tls: false");
  const environment = { AFARA_CONFIG: join(data.dir, "afara.config.ts"), EXAMPLE_SMSC_PASSWORD: PASSWORD };
  await writeFile(environment.AFARA_CONFIG, config);

  gateway = await startGateway({ dataDir: data.dir, environment });
  const { base } = gateway;
  const run = async (script: string, variables: Readonly<Record<string, string>> = {}): Promise<string> => {
    const env = {
      ...environment,
      ...variables,
      AFARA_DATA_DIR: data.dir,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      USER: "ada",
    };
    const { stdout } = await promisify(execFile)("sh", ["-euc", script], { cwd: ROOT, env });
    return stdout;
  };

  const shell = blocksOf(guide, "sh").map((block) => block.replaceAll("http://localhost:8080", base));
  const [start, well, ...rest] = shell;
  assert.match(start ?? "", /^npm start$/m, "the first block is what the test has done in its own way");
  await waitFor("a connected SMSC", () => run(well!).catch(() => undefined));

  const looksBack = rest.findIndex((block) => block.includes("orders show"));
  const before = rest.slice(0, looksBack).join("");
  const said = await run(`${before}\necho "ACCOUNT=$ACCOUNT KEY=$KEY ID=$ID BASE=$BASE"`);
  assert.match(said, /^NAME +Ikoyi Foods$/m);
  assert.match(said, /^AVAILABLE +₦200\.00$/m);
  assert.match(said, /"mode":"live","status":"queued"/);
  const variables = Object.fromEntries(
    ["ACCOUNT", "KEY", "ID", "BASE"].map((name) => [name, new RegExp(`\\b${name}=(\\S+)`).exec(said)?.[1] ?? ""]),
  );
  assert.ok(variables.ID?.startsWith("msg_"));

  const [look, ...after] = rest.slice(looksBack);
  const seen = await waitFor("a delivered message", async () => {
    const text = await run(look!, variables);
    return /sent → delivered/.test(text) ? text : undefined;
  });
  assert.match(seen, /^charged +₦4\.00$/m);
  assert.match(seen, /^AVAILABLE +₦196\.00$/m);
  const shown = await run(after.join(""), variables);
  assert.match(shown, /"kind":"charge".*"kind":"hold".*"reason":"bank transfer of 28 November"/s);
  assert.match(shown, /The ledger is in order\./);
  for (const act of ["account.create", "wallet.credit", "key.create"])
    assert.match(shown, new RegExp(act.replace(".", "\\.")));

  const submits: SubmitLine[] = [];
  for await (const line of readSmscLog(vendor.dir)) if (line.kind === "submit") submits.push(line);
  assert.equal(submits.length, 1, "one message came to the vendor, over the wire");
  assert.equal(submits[0]?.destination, "2348031234567");
});
