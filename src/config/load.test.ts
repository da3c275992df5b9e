import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadConfig } from "./load.ts";

const place = await mkdtemp(join(tmpdir(), "afara-config-"));
after(() => rm(place, { recursive: true }));

let count = 0;
/** Writes a configuration and says what is wrong with it; `<>` stands for its path. */
async function faultOf(text: string, ending = ".ts", environment: Readonly<Record<string, string>> = {}) {
  count += 1;
  const path = join(place, `${count}${ending}`);
  await writeFile(path, text);
  const loaded = await loadConfig(path, environment, "AFARA_CONFIG");
  assert.ok("fault" in loaded, "a fault was expected");
  return loaded.fault.replaceAll(path, "<>");
}

const BROKEN = "export default {\n  a: 1,\n  b: [1, 2,\n  c: 3,\n};\n";

type Case = readonly [what: string, text: string, fault: RegExp, ending?: string];
const CASES: readonly Case[] = [
  [
    "a syntax error",
    BROKEN,
    /^<>:4:4: can't be read: Expected ',', got ':' \(often the end of the line before lacks a comma or a bracket\)\. The line is: c: 3,$/,
  ],
  [
    "a syntax error in JavaScript",
    BROKEN,
    /^<>:4:4: can't be read: Unexpected token ':'\. The line is: c: 3,$/,
    ".mjs",
  ],
  [
    "an enum",
    "const x = 1;\nenum Mode { Live }\nexport default { x };\n",
    /^<>:2:1: TypeScript enum can't be used: .*\(for an enum, an object\)\. The line is: enum Mode \{ Live \}$/,
  ],
  [
    "a parameter property",
    "class A {\n  constructor(private x: number) {}\n}\nexport default {};\n",
    /^<>:2:\d+: TypeScript parameter property can't be used: .*The line is: constructor\(private x: number\) \{\}$/,
  ],
  [
    "a file that throws",
    '\nthrow new Error("no\\n  price list");\n',
    /^<>:2:7: throws when it is loaded: no price list\. The line is: throw /,
  ],
  [
    "a name that is none",
    "export default { a: nmae };\n",
    /^<>:1:21: throws when it is loaded: nmae is not defined\. The line is: export default/,
  ],
  [
    "something thrown that is no error",
    'throw "nothing";\nexport default {};\n',
    /^<>: throws "nothing" when it is loaded$/,
  ],
  [
    "a package that is missing",
    '\nimport x from "no-such-package";\nexport default x;\n',
    /^<>:2:1: imports "no-such-package", which is not there\. The line is: import x from "no-such-package";\. It is not among the installed packages\.$/,
  ],
  [
    "a module that is missing",
    'import x from "./plns.ts";\nexport default x;\n',
    /^<>:1:1: imports "plns\.ts", which is not there\. .* Did you mean plans\.ts\?$/,
  ],
  [
    "a module that Node has a guess about",
    'import x from "./other";\nexport default x;\n',
    /^<>:1:1: imports "other", which is not there\. .*/,
  ],
  [
    "an export that is missing",
    'import { prices } from "./plans.ts";\nexport default prices;\n',
    /^<>:1:10: can't be read: The requested module '\.\/plans\.ts' does not provide an export named 'prices'\. The line is: import/,
  ],
  ["no export", "const config = {};\n", /^<>: has no default export; write `export default defineConfig\(\{ … \}\)`$/],
  ["only a named export", "export const config = {};\n", /^<>: has no default export, only config; write /],
  ["a function", "export default () => ({});\n", /^<>: exports a function; call it, or write /],
  ["a promise", "export default Promise.resolve({});\n", /^<>: exports a promise; write `export default await …`/],
  ["a list", "export default [];\n", /^<>: exports a list; write /],
  ["a text", 'export default "x";\n', /^<>: exports a string; write /],
  ["null", "export default null;\n", /^<>: exports null; write /],
  ["JSON", '{ "providers": {} }\n', /^AFARA_CONFIG: <> must end in \.ts, \.mts, \.js or \.mjs: it is code/, ".json"],
];
await writeFile(join(place, "other.js"), "export default {};\n");
await writeFile(join(place, "plans.ts"), "export const plans = 1;\n");
for (const [what, text, fault, ending] of CASES)
  test(`${what} is told with its place and what to do`, async () => assert.match(await faultOf(text, ending), fault));

test("an error in a file that the configuration imports is told by that file", async () => {
  await writeFile(join(place, "broken.ts"), BROKEN);
  assert.match(await faultOf('import x from "./broken.ts";\nexport default x;\n'), /\/broken\.ts:4:4: can't be read/);
});

test("a file that is not there is told with the one that was meant", async () => {
  await writeFile(join(place, "gateway.config.ts"), "export default {};\n");
  const told = async (...path: readonly string[]) => {
    const loaded = await loadConfig(join(place, ...path), {}, "AFARA_CONFIG");
    return "fault" in loaded ? loaded.fault.replaceAll(place, "<>") : "";
  };
  assert.equal(
    await told("gatway.config.ts"),
    "AFARA_CONFIG: <>/gatway.config.ts does not exist. Did you mean gateway.config.ts?",
  );
  assert.equal(
    await told("nowhere", "x.ts"),
    "AFARA_CONFIG: <>/nowhere/x.ts does not exist. There is no folder <>/nowhere either.",
  );
  await mkdir(join(place, "folder"));
  assert.equal(await told("folder"), "AFARA_CONFIG: <>/folder is a folder; name the file in it");
});

test("a file that this user may not read is told so", async (t) => {
  const path = join(place, "closed.ts");
  await writeFile(path, "export default {};\n");
  await chmod(path, 0);
  await chmod(place, 0o755);
  if (process.getuid?.() === 0) {
    // Root may read all.
    process.seteuid!("nobody");
    t.after(() => process.seteuid!(0));
  }
  const loaded = await loadConfig(path, {}, undefined);
  assert.match("fault" in loaded ? loaded.fault : "", /closed\.ts can't be read by this user \(EACCES\)/);
});

test("no message has a secret, be it written in the line, thrown or parsed", async () => {
  const hidden = [
    await faultOf('export default {\n  password: "geheim-1234" "x",\n};\n'),
    await faultOf('export default {\n  secretKey: "geheim-1234,\n  b: 1 };\n'),
    await faultOf('throw new Error("bad key geheim-1234");\n', ".ts", { SMSC_PASSWORD: "geheim-1234" }),
    await faultOf('const given = ["geheim-1234"];\nexport default JSON.parse(given[0]);\n'),
  ];
  for (const fault of hidden) assert.doesNotMatch(fault, /geheim/);
  assert.match(hidden[0]!, /^<>:2:\d+: can't be read: .* The line is: password: "…" "x",$/);
  assert.match(hidden[2]!, /^<>:1:7: throws when it is loaded: bad key \(SMSC_PASSWORD\)\. /);
  assert.match(hidden[3]!, /what it was given is not valid JSON/);
});
