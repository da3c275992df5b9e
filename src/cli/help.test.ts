import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SERVICES } from "../app/services.ts";
import { makeCli } from "../testing/cli.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const MAIN = join(import.meta.dirname, "main.ts");

/** Writes the address of each module that is loaded to file descriptor 3. */
const RECORDER = `import { writeSync } from "node:fs"; import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { writeSync(3, url + "\\n"); return next(url, context); } });`;

/** The files and packages that one command line loads, from the root of the repository. */
function loadedBy(args: readonly string[]): readonly string[] {
  const run = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(RECORDER)}`, MAIN, ...args],
    { stdio: ["ignore", "pipe", "pipe", "pipe"], encoding: "utf8" },
  );
  assert.equal(run.status, 0, run.stderr);
  assert.notEqual(run.stdout.trim(), "");
  return (run.output[3] ?? "")
    .split("\n")
    .filter((url) => url.startsWith("file:"))
    .map((url) => decodeURIComponent(url.slice(`file://${ROOT}/`.length)));
}

for (const args of [["--help"], ["--version"], ["key"], ["key", "create", "--help"], ["doctor", "--help"]])
  test(`./afara ${args.join(" ")} loads what says which commands there are, and nothing that carries one out`, () => {
    const loaded = loadedBy(args);
    const packages = loaded.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    assert.deepEqual([...new Set(packages)].sort(), ["commander", "uuidv7"]);
    const own = loaded.filter((path) => path.startsWith("src/"));
    const allowed = /^src\/(?:kernel\/|accounts\/scopes\.ts|cli\/(?!.*\.command\.ts|session\.ts))/;
    assert.deepEqual(
      own.filter((path) => !allowed.test(path)),
      [],
      "a group's file (*.commands.ts) imports the code of its commands when an action is called",
    );
    assert.ok(own.length > 0 && own.length < 60, `${own.length} files`);
  });

const afara = makeCli({});

test("the version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  for (const option of ["--version", "-V"]) assert.equal((await afara([option])).out, `${version}\n`);
});

/** The names under `Commands:` in a help. */
const namesIn = (help: string): readonly string[] =>
  [...(help.split(/^Commands:$/m)[1] ?? "").split("\n\n")[0]!.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== "help");

async function commandsOf(path: readonly string[] = []): Promise<readonly (readonly string[])[]> {
  const names = namesIn((await afara([...path, "--help"])).out);
  if (names.length === 0) return [path];
  return (await Promise.all(names.map((name) => commandsOf([...path, name])))).flat();
}

const commands = await commandsOf();

test("there are commands", () => assert.ok(commands.length >= 30, String(commands.length)));

for (const path of commands)
  test(`the help of ./afara ${path.join(" ")} has an example of it, says what each option is, and knows --json`, async () => {
    const { code, out, err } = await afara([...path, "--help"]);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, new RegExp(`\nExamples:\n(?:.*\n)* {2}\\./afara ${path.join(" ")}\\b`));
    assert.match(out, /^ {2}--json +print JSON/m);
    for (const [option] of out.matchAll(/^ {2}-.*$/gm)) assert.match(option, /\S {2,}\S/, "an option without a word");
  });

for (const path of commands)
  test(`no option of ./afara ${path.join(" ")} takes the next option, or nothing, for its value`, async () => {
    const { out } = await afara([...path, "--help"]);
    for (const [, option] of out.matchAll(/^ {2}(--[a-z-]+) </gm)) {
      const swallowed = await afara([...path, option!, "--json"]);
      assert.equal(swallowed.code, 2);
      assert.match(
        swallowed.err,
        new RegExp(`^error: option '${option} .*' argument missing: "--json" stands in its place`),
      );
      assert.equal(swallowed.json().code, "cannot_run");
      for (const empty of [[option!, ""], [`${option}=`]])
        assert.match(
          (await afara([...path, ...empty])).err,
          new RegExp(`^error: option '${option} .*' has an empty value`),
        );
      assert.match((await afara([...path, option!])).err, /argument missing/);
    }
  });

/** What the page says of each command, by its words without arguments. */
const rows = new Map(
  [
    ...readFileSync(join(ROOT, "docs", "operations", "command-line.md"), "utf8").matchAll(
      /^\| `([a-z][a-z -]*?)(?: <[a-z]+>)?` \| (\S.*) \|$/gm,
    ),
  ].map(([, name = "", said = ""]) => [name, said]),
);

test("docs/operations/command-line.md has each command, and no other", () => {
  assert.deepEqual([...rows.keys()].sort(), commands.map((path) => path.join(" ")).sort());
});

for (const path of commands)
  test(`docs/operations/command-line.md says of ${path.join(" ")} what its help says`, async () => {
    const [, description = ""] = (await afara([...path, "--help"])).out.split("\n\n");
    const said = rows.get(path.join(" ")) ?? "";
    assert.ok(
      said.startsWith(description.replaceAll(/\s+/g, " ").trim()),
      `"${said}", and in the help "${description}"`,
    );
  });

const groups = [...new Set(commands.filter((path) => path.length > 1).map(([group]) => group!))];

for (const group of groups) {
  test(`./afara ${group} alone shows what there is, with exit code 0`, async () => {
    const alone = await afara([group]);
    assert.deepEqual([alone.code, alone.err], [0, ""]);
    assert.equal(alone.out, (await afara([group, "--help"])).out);
  });

  test(`./afara ${group} with a word that is none says so, and which was meant`, async () => {
    const [, name] = commands.find(([first]) => first === group)!;
    const { code, out, err } = await afara([group, `${name}x`]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, new RegExp(`unknown command '${name}x'\n\\(Did you mean (?:one of )?.*${name}`));
    const asked = await afara([group, `${name}x`, "--help"]);
    assert.deepEqual([asked.code, asked.out, asked.err], [code, out, err], "its help is that of no command");
  });
}

test("./afara alone shows its help with exit code 0, and a misspelt group is told with the right one", async () => {
  assert.deepEqual([(await afara([])).code, (await afara([])).err], [0, ""]);
  assert.equal((await afara(["acount", "--help"])).code, 2);
  assert.match((await afara(["acount", "list"])).err, /unknown command 'acount'\n\(Did you mean account\?\)/);
});

test("orders are found by what each service names", async () => {
  const { out } = await afara(["orders", "list", "--help"]);
  for (const { service, recipient } of SERVICES)
    if (recipient) assert.match(out, new RegExp(`--${recipient.name} <number> +${service} for this ${recipient.name}`));
  assert.match(out, /--meter <number> +electricity for this meter/);
});
