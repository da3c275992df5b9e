import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXCEPTIONS, LINES_MAX, LONG_FILES, RULES } from "./architecture/rules.ts";
import { readSources, sourceOf } from "./architecture/sources.ts";

const ROOT = join(import.meta.dirname, "..");

for (const { name, mend, breaches } of RULES)
  test(name, () => {
    const found = readSources(ROOT).flatMap((source) => breaches(source).map((what) => `  ${source.path} ${what}`));
    assert.equal(found.length, 0, `${name}:\n${found.join("\n")}\n${mend}`);
  });

test("every exception to a rule is about a file that is there", () => {
  for (const path of EXCEPTIONS)
    assert.ok(existsSync(join(ROOT, path)), `${path} is gone; take it out of test/architecture/rules.ts`);
});

test("only a file that is too long has an exception for its length", () => {
  const lines = new Map(readSources(ROOT).map((source) => [source.path, source.lines]));
  const short = Object.keys(LONG_FILES).filter((path) => (lines.get(path) ?? 0) <= LINES_MAX);
  assert.deepEqual(short, [], "Take them out of LONG_FILES in test/architecture/rules.ts.");
});

test("every vendor has its page for operators", () => {
  for (const folder of globSync("src/providers/*/", { cwd: ROOT })) {
    const page = `docs/providers/${folder.replaceAll("\\", "/").split("/")[2]}.md`;
    assert.ok(existsSync(join(ROOT, page)), `${folder} has no ${page}: settings, what to ask the vendor for, limits`);
  }
});

/** Code that breaks the rule named before it. */
const OFFENDERS: readonly (readonly [rule: string, path: string, text: string])[] = [
  ["imports point towards the kernel", "src/kernel/x.ts", 'import { y } from "../db/y.ts";'],
  ["imports point towards the kernel", "src/sms/x.ts", 'import { y } from "../chat/y.ts";'],
  ["imports point towards the kernel", "src/sms/x.service.ts", 'import { y } from "../ledger/ledger.repo.ts";'],
  ["imports point towards the kernel", "src/sms/x.service.ts", 'import type { Y } from "../http/y.ts";'],
  ["imports point towards the kernel", "src/orders/x.ts", 'import { y } from "../sms/y.ts";'],
  ["imports point towards the kernel", "src/orders/x.ts", 'const { y } = await import("../accounts/y.ts");'],
  [
    "the composition root enters a folder by its front door",
    "src/app/x.ts",
    'import { makeSms } from "../sms/sms.service.ts";',
  ],
  [
    "the composition root enters a folder by its front door",
    "src/app/x.ts",
    'import { makeTelex } from "../telex/x.ts";',
  ],
  ["a vendor's folder knows its own vendor alone", "src/providers/a/x.ts", 'export { y } from "../../orders/y.ts";'],
  ["a vendor's folder knows its own vendor alone", "src/providers/a/x.ts", 'import { y } from "../b/y.ts";'],
  ["a vendor's folder knows its own vendor alone", "src/simulators/a/x.ts", 'import {\n  y,\n} from "../b/y.ts";'],
  ["only the registry knows which vendors there are", "src/app/app.ts", 'import { a } from "../providers/a/index.ts";'],
  [
    "only the registry knows which vendors there are",
    "src/simulators/a/x.ts",
    'import "../../providers/a/session.ts";',
  ],
  ["only a vendor's folder and the registries name it", "src/config/x.ts", 'const ADAPTERS = ["vtpass"];'],
  ["only a vendor's folder and the registries name it", "test/contract/x.ts", "const ENDS = { buypower: 1 };"],
  ["only a vendor's folder and the registries name it", "src/simulators/vtpass/x.ts", 'const other = "reloadly";'],
  ["the engine names no service", "src/orders/x.ts", 'const PREFIXES = { airtime: "pur" };'],
  ["the engine names no service", "src/orders/x.repo.ts", "const ONLY = `o.service = 'sms'`;"],
  ["the engine names no service", "src/orders/x.ts", 'encodeId("blk", id);'],
  ["the kernel and the wire formats do no input or output", "src/kernel/x.ts", 'import fs from "node:fs";'],
  ["the kernel and the wire formats do no input or output", "src/providers/a/wire/x.ts", 'import net from "node:net";'],
  ["only repositories and src/db know the database's driver", "src/orders/x.ts", 'import pg from "pg";'],
  ["SQL stands in repositories, src/db and migrations", "src/sms/x.ts", "db.query(`\n  select id from orders`)"],
  ["SQL stands in repositories, src/db and migrations", "src/sms/x.ts", 'db.query("delete from orders")'],
  [
    "the engine's decisions import no repository",
    "src/orders/decide-due.ts",
    'import { findOrder } from "./orders.repo.ts";',
  ],
  ["only routes and src/http know the HTTP framework", "src/sms/x.service.ts", 'import type { A } from "fastify";'],
  ["only main.ts reads the clock, the environment and chance", "src/sms/x.ts", "const at = new Date();"],
  ["only main.ts reads the clock, the environment and chance", "src/app/app.ts", "const port = process.env.PORT;"],
  [
    "what runs in production imports nothing that is there for tests",
    "src/app/app.ts",
    'import "../testing/gateway.ts";',
  ],
  [
    "the portal's pages and the gateway share no code",
    "portal/src/api/x.ts",
    'import { y } from "../../../src/kernel/y.ts";',
  ],
  ["the portal's pages and the gateway share no code", "src/portal/x.ts", 'import { y } from "../../portal/src/y.ts";'],
  ["what all services share names none of them", "src/purchases/x.ts", 'const isMeter = service === "electricity";'],
  ["what all services share names none of them", "src/cli/x.command.ts", 'import { y } from "../airtime/y.ts";'],
  ["a file holds one idea in 400 lines at most", "src/sms/x.ts", "\n".repeat(401)],
];

for (const [name, path, text] of OFFENDERS)
  test(`the rule “${name}” catches ${JSON.stringify(text.slice(0, 60))} in ${path}`, () => {
    const source = sourceOf(path, text);
    const broken = RULES.filter((rule) => rule.breaches(source).length > 0).map((rule) => rule.name);
    assert.ok(broken.includes(name), `broken: ${broken.join(", ") || "none"}`);
  });

test("what a comment or a string names is not taken for code", () => {
  const source = sourceOf(
    "src/sms/x.ts",
    '// process.env\n/* new Date() */\nconst url = "http://a//Math";\nexport {};\n',
  );
  assert.deepEqual(
    RULES.filter((rule) => rule.breaches(source).length > 0).map((rule) => rule.name),
    [],
  );
  assert.match(source.code, /http:\/\/a\/\/Math/);
});
