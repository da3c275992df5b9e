import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";

/** Other people's readers of OpenAPI, with the TypeScript that they ask for, and two programs on what they make of ours. */
const CLIENTS = join(import.meta.dirname, "..", "..", "clients");
const OUR_TYPESCRIPT = join(import.meta.dirname, "..", "..", "node_modules", "typescript", "bin", "tsc");
const THEIR_TYPESCRIPT = "node_modules/typescript/bin/tsc";
/** They would ask their makers whether there is a newer version, and report that they were used. */
const SILENT = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };

const data = await makeDataDir();
let gateway: Gateway;
let folder = "";

before(async () => {
  gateway = await startGateway({ dataDir: data.dir });
  folder = await mkdtemp(join(tmpdir(), "afara-clients-"));
  for (const file of ["package.json", "tsconfig.json", "with-openapi-fetch.ts", "with-hey-api.ts"])
    await cp(join(CLIENTS, file), join(folder, file));
  await symlink(join(CLIENTS, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "openapi.json"), await (await fetch(`${gateway.base}/openapi.json`)).text());
  await Promise.all([
    run("node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", "api/paths.ts"),
    run("node_modules/@hey-api/openapi-ts/bin/run.js", "-i", "openapi.json", "-o", "api/functions", "--no-log-file"),
  ]);
});

after(async () => {
  await gateway?.stop();
  await data.remove();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs a package's program in the folder; resolves with what it printed. */
function run(program: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...SILENT },
  });
  let output = "";
  let complaints = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output}${complaints}`));
    });
  });
}

const linesOf = async (file: string): Promise<readonly string[]> =>
  (await readFile(join(folder, file), "utf8")).split("\n");

test("for each operation the document has less than 5 kB, and the types made of it have fewer than 110 lines", async () => {
  const document = await readFile(join(folder, "openapi.json"), "utf8");
  const { paths } = JSON.parse(document) as { paths: Readonly<Record<string, object>> };
  const operations = Object.values(paths).flatMap((path) => Object.keys(path)).length;
  const lines = (await linesOf("api/paths.ts")).length;
  const told = `${operations} operations, ${document.length} bytes, ${lines} lines`;
  assert.ok(document.length < 5_000 * operations && lines < 110 * operations, told);
});

test("redocly lint has nothing to say against the document", async () => {
  const { totals, problems } = JSON.parse(
    await run("node_modules/@redocly/cli/bin/cli.js", "lint", "openapi.json", "--format=json"),
  );
  assert.deepEqual([totals, problems], [{ errors: 0, warnings: 0, ignored: 0 }, []]);
});

test("a third reader, which holds it against the schema of OpenAPI 3.1, finds nothing either", async () => {
  const { validate } = await import(join(CLIENTS, "node_modules", "@readme", "openapi-parser", "dist", "index.js"));
  const { valid, warnings } = await validate(JSON.parse((await linesOf("openapi.json")).join("")));
  assert.deepEqual([valid, warnings], [true, []]);
});

/** What a vendor says in words of its own, which nobody can list. */
const FREE = ["referral", "referred_product", "raw"];

test("no field of the made types is unknown, any or never, but for a vendor's own words", async () => {
  const open = (await linesOf("api/functions/types.gen.ts")).flatMap(
    (line) => /^ +'?(\w+)'?\??: (?:Array<)?(?:unknown|any|never)\b/.exec(line)?.[1] ?? [],
  );
  const fields = open.filter((name) => !["body", "path", "query", "headers"].includes(name));
  assert.deepEqual([...new Set(fields)].sort(), FREE.toSorted());
});

const MODELS = ["Money", "Price", "SmsMessage", "Bulk", "Purchase", "ChatMessage", "StatementLine", "Problem"];
const WORDS = ["ErrorCode", "FaultCode", "SmsStatus", "PurchaseStatus", "ChatStatus", "Network", "DiscoCode"];
const OTHERS = ["PurchaseFailedProblem", "InsufficientBalanceProblem", "PurchaseCheck", "SendSmsRequest", "Fault"];

test("the types have the names that the guides use", async () => {
  const types = await linesOf("api/functions/types.gen.ts");
  for (const name of [...MODELS, ...WORDS, ...OTHERS])
    assert.ok(
      types.some((line) => line.startsWith(`export type ${name} = `)),
      name,
    );
});

test("both clients keep the strict rules of their TypeScript and of ours, and do their work", async () => {
  await Promise.all([run(THEIR_TYPESCRIPT), run(OUR_TYPESCRIPT, "--noEmit")]);
  const token = /^(?:\d{4} ){4}\d{4}$/;
  for (const program of ["with-openapi-fetch", "with-hey-api"]) {
    const { shop } = await import(pathToFileURL(join(folder, "made", `${program}.js`)).href);
    const { status, listed, token: bought, available, ...told } = await shop(gateway.base, gateway.key);
    assert.match(status, /^(?:queued|sending|sent|delivered)$/);
    assert.ok(listed >= 1);
    assert.match(bought, token);
    assert.ok(Number(available) < 1_000_000);
    assert.deepEqual(told, {
      customer: "TEST CUSTOMER 1111",
      checked: "5020.00",
      bounds: "50.00 to 50000.00",
      fault: "amount_out_of_bounds",
      charged: "-5020.00",
    });
  }
});
