// The one check, the same on every machine and in CI: style, types, tests. `npm test` runs all of it and stops at the first
// stage that fails; `npm test -- <part of a path>` runs only the test files whose path has that part; `npm run test:long`
// adds the `*.long.test.ts` files and lets other tests run for longer (AFARA_TEST_LONG=1). What the tests leave behind is named
// and removed.
// Plain JavaScript: it must be able to say that the TypeScript is broken.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { run } from "node:test";
import { spec as SpecReporter } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { findLeftovers, makeRunDirectory, removeRun } from "./leftovers.mjs";

/** A file that hangs is ended after this. On two cores the slowest takes two minutes; a busy machine needs several times as long. */
const FILE_MINUTES_MAX = 20;
/** About half of a file's time is waiting: for a vendor's silence, a lease, a process. Two for a processor keep it busy. */
const AT_ONCE = Math.max(2, 2 * Math.min(availableParallelism(), 4));

/** The longest first, so that all processors have work to the end. Among them the order is the alphabet's. */
const FIRST = ["test/contract/", "test/crash/", "test/start/", "test/simulation/", "test/"];

/**
 * Light files of these folders share processes, so many in each: most of their processor time would go into loading what the file
 * before them has loaded. The others start something as they are loaded, and have a process each, like those of `test`.
 */
const SHARING = { folders: ["src/http/", "src/kernel/"], files: 30 };
const STARTS_SOMETHING = /^\S.*\bawait\b/m;

/** Files that are named at the end with the time that they took. */
const SLOWEST = 10;

/** The runner's totals, which come as notes among those of tests. */
const CLOSING = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const HELP = `npm test                   style, types and all tests
npm test -- src/sms        only the test files whose path has that part; several parts are possible
npm run test:long          the long tests too

One file again at each change: node_modules/.bin/node --test --watch src/sms/prices.test.ts`;

const root = fileURLToPath(new URL("..", import.meta.url));
const given = process.argv.slice(2);
if (given.includes("--help")) {
  console.log(HELP);
  process.exit(0);
}
const wanted = given.filter((argument) => argument !== "--long");
if (given.includes("--long")) process.env.AFARA_TEST_LONG = "1";

const headline = (text) => console.log(`\n── ${text}`);

function refuse(what, mend) {
  console.error(`\n✖ ${what}\n  ${mend}`);
  process.exit(1);
}

/** Runs a package's own entry file under this Node: no shell and no shim, so it works on every platform. */
function stage(title, [program, ...args], mend) {
  headline(title);
  const command = [join(root, "node_modules", program), ...args];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) refuse(`${title}: failed`, mend);
}

function testFiles() {
  const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], { cwd: root })
    .map((file) => file.replaceAll(sep, "/"))
    .filter((file) => process.env.AFARA_TEST_LONG === "1" || !file.endsWith(".long.test.ts"))
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
  const rank = (file) => FIRST.findIndex((folder) => file.startsWith(folder)) >>> 0;
  return files.sort().sort((a, b) => rank(a) - rank(b));
}

const isLight = (file) =>
  SHARING.folders.some((folder) => file.startsWith(folder)) &&
  !STARTS_SOMETHING.test(readFileSync(join(root, file), "utf8").replaceAll(/^import .*/gm, ""));

/** The processes of the tests: a file alone, or a module that runs a group of files. */
function processesOf(files, groupDirectory) {
  mkdirSync(groupDirectory);
  const light = files.filter(isLight);
  const count = Math.ceil(light.length / SHARING.files);
  // Dealt out in turn: neighbours take alike long.
  const groups = Array.from({ length: count }, (_, group) => light.filter((_, index) => index % count === group));
  const paths = groups.map((names, index) => {
    if (names.length === 1) return join(root, names[0]);
    const path = join(groupDirectory, `${index}.mjs`);
    const members = JSON.stringify(names.map((name) => ({ name, path: join(root, name) })));
    const runner = JSON.stringify(new URL("group.mjs", import.meta.url));
    writeFileSync(path, `import { runFiles } from ${runner};\nrunFiles(${members});\n`);
    return path;
  });
  return [...files.filter((file) => !light.includes(file)).map((file) => join(root, file)), ...paths];
}

/** Of the whole machine since its start, in milliseconds. */
function processorTimes() {
  const times = cpus().map(({ times }) => times);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, ms) => sum + ms, 0);
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all };
}

/** Prints as it goes; failures are repeated at the end, and the runner's closing lines come last of all. */
async function runTests(files, groupDirectory, signal) {
  const processes = processesOf(files, groupDirectory);
  const skipped = [];
  const durations = [];
  const closing = [];
  let passed = false;
  const before = processorTimes();
  async function* shown() {
    const events = run({
      cwd: root,
      signal,
      files: processes,
      concurrency: AT_ONCE,
      forceExit: true, // a test that failed half-way may have left a gateway running, which would keep its file waiting
      execArgv: [`--import=${new URL("whole-reports.mjs", import.meta.url)}`],
      timeout: FILE_MINUTES_MAX * 60_000,
    });
    for await (const event of events) {
      const { type, data } = event;
      if (type === "test:pass" && data.skip) skipped.push(data);
      if (type === "test:summary" && data.file === undefined) passed = data.success;
      if (type === "test:summary" && data.file !== undefined && !data.file.startsWith(groupDirectory))
        durations.push({ name: relative(root, data.file), ms: data.duration_ms });
      if (data.details?.type === "suite" && files.includes(data.name) && type !== "test:complete")
        durations.push({ name: data.name, ms: data.details.duration_ms });
      if (type === "test:diagnostic" && CLOSING.test(data.message)) closing.push(`ℹ ${data.message}`);
      else yield event;
    }
  }
  for await (const text of Readable.from(shown()).pipe(new SpecReporter())) process.stdout.write(text);

  if (files.length > SLOWEST) {
    headline(`The ${SLOWEST} slowest files`);
    for (const { name, ms } of durations.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST))
      console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
    const { busy, all } = processorTimes();
    const percent = Math.round((100 * (busy - before.busy)) / (all - before.all));
    console.log(`\n${AT_ONCE} processes at once; the processors were busy for ${percent} % of the time`);
  }
  if (skipped.length > 0) {
    headline("Skipped");
    for (const { name, file, skip } of skipped)
      console.log(`  ${relative(root, file)}: ${name}${typeof skip === "string" ? ` (${skip})` : ""}`);
  }
  console.log(`\n${closing.join("\n")}`);
  return { passed, skipped };
}

if (Number(process.versions.node.split(".")[0]) < 26)
  refuse(`The check runs under the pinned Node 26, not under ${process.version}.`, "Start it with `npm test`.");

if (wanted.length === 0) {
  stage(
    "Style (biome)",
    ["@biomejs/biome/bin/biome", "check", "."],
    "`npm run format` mends layout and imports; the rest by hand.",
  );
  stage("Types (tsc)", ["typescript/bin/tsc", "--noEmit"], "Mend what is named above; `npm run types` looks again.");
}

const files = testFiles();
if (files.length === 0) refuse(`No test file matches ${wanted.join(" ")}`, "Give a part of a path, e.g. `src/http`.");
headline(`Tests (${files.length} files)`);
const runDirectory = makeRunDirectory();
const COMPILED = "compiled";
const GROUPS = "groups";
/** Claimed by `freePort`. */
const PORTS = "afara-ports";
process.env.TMPDIR = runDirectory;
// Hundreds of processes load the same code; each would strip its types and compile it for itself.
process.env.NODE_COMPILE_CACHE = join(runDirectory, COMPILED);

const interruption = new AbortController();
for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }))
  process.once(signal, () => {
    interruption.abort();
    removeRun(runDirectory);
    process.exit(128 + number);
  });

const { globalSetup, globalTeardown } = await import("../src/testing/database-server.ts");
await globalSetup();
const { passed, skipped } = await runTests(files, join(runDirectory, GROUPS), interruption.signal);
await globalTeardown();
const leftovers = await findLeftovers(runDirectory, { except: [COMPILED, GROUPS, PORTS] });
removeRun(runDirectory);
if (leftovers.length > 0) {
  headline("Left behind by tests, and removed now: `makeDataDir`, `endWithFile` and `t.after` are there for that");
  for (const line of leftovers) console.log(`  ${line}`);
}
if (!passed) refuse("Tests: failed", "The failures are above; `npm test -- <part of a path>` runs one file again.");
if (process.env.CI === "true" && skipped.length > 0)
  refuse(
    `Tests: ${skipped.length} skipped, and in CI none may be`,
    "What each needs is under “Skipped” above; .ci/run installs it.",
  );
