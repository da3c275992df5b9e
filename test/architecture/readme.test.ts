import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const readme = read("README.md").replaceAll(/\s+/g, " ");

interface Result {
  readonly id: string;
  readonly goal: string;
  /** Undefined: there is no goal, or nothing to compare with. */
  readonly reached?: boolean;
  readonly figures: Readonly<Record<string, number & readonly number[]>>;
}
const { machine, results } = JSON.parse(read("bench/results.json")) as {
  readonly machine: { readonly cores: number };
  readonly results: readonly Result[];
};
const of = (id: string): Result => {
  const found = results.find((result) => result.id === id);
  assert.ok(found, `bench/results.json has ${id}: commit a whole run only, or git checkout bench/results.json`);
  return found;
};
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const inWords = (count: number): string =>
  ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"][count] ?? String(count);

const FIGURES: readonly (readonly [id: string, said: string])[] = [
  ["P1", `at **${of("P1").figures.ratio?.toFixed(2)} of the rate** of a bare Fastify`],
  ["P2", `at **${of("P2").figures.ratio?.toFixed(1)} times the rate** of Kannel 1.4.5`],
  ["P3", `adds **${of("P3").figures.addedP50?.toFixed(1)} ms** (median) to a purchase`],
  [
    "P4",
    `at **${(Math.round(median(of("P4").figures.recipientsPerSecond ?? []) / 100) * 100).toLocaleString("en")} recipients a second**`,
  ],
];

for (const [id, said] of FIGURES)
  test(`README says of ${id} what the committed measurement found`, () => assert.ok(readme.includes(said), said));

test("README says on how many cores was measured, and which goals were missed", () => {
  assert.ok(readme.includes(`on ${inWords(machine.cores)} shared cores`));
  const compared = results.filter(({ reached }) => reached !== undefined);
  const missed = compared.filter(({ reached }) => !reached);
  assert.ok(
    readme.toLowerCase().includes(`${inWords(missed.length)} of the ${inWords(compared.length)} goals are not reached`),
  );
  assert.deepEqual(
    missed.map(({ id, goal }) => [id, goal]),
    [
      ["P1", "≥ 0.5 of its rate"],
      ["P2", "≥ 3 × its rate"],
      ["P3", "adds p50 ≤ 5 ms, p99 ≤ 30 ms"],
      ["P8", "gateway ≤ 5, PostgreSQL ≤ 4, ≤ 2.5 kB"],
      ["P9", "≤ 500 ms"],
    ],
    "README names these",
  );
});

test("README names as missing only what no route and no adapter has", () => {
  const [, missing = ""] = read("README.md").split("\n## What is not there yet\n");
  const [section = ""] = missing.split("\n## ");
  const routes = globSync("src/**/*.ts", { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts"))
    .map(read)
    .join("\n");
  const paths = [...section.matchAll(/`(?:GET )?(\/\w+)`/g)].map(([, path = ""]) => path);
  assert.ok(paths.length > 0);
  for (const path of paths) assert.ok(!routes.includes(`"${path}"`), `${path}: README says otherwise`);
  const adapters = globSync("src/providers/*/", { cwd: ROOT }).join(" ");
  assert.doesNotMatch(adapters, /africas|termii/, "there is an adapter that README calls missing");
});

test("README's tables link every guide, every page for operators and every vendor", () => {
  const rows = read("README.md")
    .split("\n")
    .filter((line) => line.startsWith("| "));
  for (const path of globSync(["docs/guides/*.md", "docs/operations/*.md", "docs/providers/*.md"], { cwd: ROOT }))
    assert.ok(
      rows.some((row) => row.includes(`](${path})`)),
      path,
    );
});

test("the tables of the list of guides link every guide, every page for operators and every vendor", () => {
  const list = "docs/guides/README.md";
  const rows = read(list)
    .split("\n")
    .filter((line) => line.startsWith("| "));
  for (const path of globSync(["docs/guides/*.md", "docs/operations/*.md", "docs/providers/*.md"], { cwd: ROOT })) {
    const link = relative(dirname(list), path);
    assert.ok(path === list || rows.some((row) => row.includes(`](${link})`)), path);
  }
});
