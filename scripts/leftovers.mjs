// What a run of the tests leaves behind. Everything temporary goes below one directory of the run's own (TMPDIR), by which its
// processes are known too: they have it in their environment, or, like PostgreSQL, stand in a directory of the run. Another
// run beside this one has another directory and is left alone.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Where the product puts the database of a data directory that the server's user can't enter; `owner.json` there names that. */
const ELSEWHERE = "/var/lib/afara";
/** Processes that have been told to end are given this long before they count as left. */
const END_MS_MAX = 10_000;

/** Short, for a Unix socket's path has room for 107 bytes; open, for the databases' own user must get in. */
export function makeRunDirectory() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "afara-test-")));
  chmodSync(directory, 0o755);
  return directory;
}

/** What there is of the run, each as a line, after its processes have had time to end. `except` are the run's own files. */
export async function findLeftovers(run, { except = [], endMsMax = END_MS_MAX } = {}) {
  const deadline = performance.now() + endMsMax;
  while (processesOf(run).length > 0 && performance.now() < deadline) await delay(50);
  const below = readdirSync(run).filter((name) => !except.includes(name));
  return [
    ...processesOf(run).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...[...below.map((name) => join(run, name)), ...movedOf(run)].map((directory) => `directory ${directory}`),
  ];
}

/** Ends and removes all of it, at once: nothing of a test is worth keeping. Waits for nothing, so that a signal's handler can do it. */
export function removeRun(run) {
  const until = performance.now() + END_MS_MAX;
  // PostgreSQL releases its shared memory when it is told to quit, and not when it is killed.
  for (const { pid, command } of processesOf(run)) end(pid, command.includes("postgres") ? "SIGQUIT" : "SIGKILL");
  for (let left = processesOf(run); left.length > 0 && performance.now() < until; left = processesOf(run))
    if (performance.now() > until - END_MS_MAX / 2) for (const { pid } of left) end(pid, "SIGKILL");
  // Once may not be enough: what a process wrote as it ended comes between the files' removal and the directory's.
  for (const directory of [...movedOf(run), run])
    for (let tries = 20; tries > 0 && existsSync(directory); tries--)
      rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** Databases elsewhere whose data directory is, or was, the run's. */
function movedOf(run) {
  if (!existsSync(ELSEWHERE)) return [];
  return readdirSync(ELSEWHERE)
    .map((name) => join(ELSEWHERE, name))
    .filter((directory) => isBelow(run, read(join(directory, "owner.json"), ownedDirectory) ?? ""));
}

const ownedDirectory = (text) => JSON.parse(text).dataDir;

function processesOf(run) {
  if (!existsSync("/proc/self/environ")) return []; // only Linux shows them this way
  const places = [run, ...movedOf(run)];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => isOurs(pid, run, places))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`, spaced) || "?" }));
}

const spaced = (text) => text.replaceAll("\0", " ").trim().slice(0, 200);

function isOurs(pid, run, places) {
  const environment = read(`/proc/${pid}/environ`, (text) => text.split("\0")) ?? [];
  if (environment.includes(`TMPDIR=${run}`)) return true;
  try {
    const standsIn = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, "");
    return places.some((place) => isBelow(place, standsIn));
  } catch {
    return false; // it has ended, or is another user's
  }
}

const isBelow = (directory, path) => path === directory || path.startsWith(`${directory}/`);

function read(path, as) {
  try {
    return as(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function end(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
