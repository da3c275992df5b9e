import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { removesDataDir } from "../../src/testing/data-dir.ts";
import { freePort } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { isRunning, lineOf, NOBODY, needsRoot, postgresOf, type Running, startProgram } from "./program.ts";

const run = promisify(execFile);
const CHECKOUT = join(import.meta.dirname, "..", "..");

/** Half a minute goes to installing packages, so it is for CI and for those who ask. */
const skip =
  process.env.CI === "true" || process.env.AFARA_TEST_LONG === "1"
    ? false
    : "installs a clone's packages: runs in CI and with npm run test:long";
const skipOthers = skip || needsRoot;

/** As in a terminal of a person who has just cloned it: no Node of ours in the path. */
const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((directory) => !directory.includes("node_modules"))
  .join(delimiter);
const HOME = process.env.HOME ?? "/";
const INSTALL_MS_MAX = 480_000;
const START_MS_MAX = 180_000;

let place = "";
let clone = "";
const removals: (() => Promise<void>)[] = [];

before(async () => {
  if (skip) return;
  place = await realpath(await mkdtemp(join(tmpdir(), "afara clone ")));
  removals.push(removesDataDir(place));
  await chmod(place, 0o755);
  clone = join(place, "a fresh clone");
  await run("git", ["-c", "safe.directory=*", "clone", "--quiet", CHECKOUT, clone]);
});
after(async () => {
  for (const remove of removals.reverse()) await remove();
});

interface Message {
  readonly id: string;
  readonly status: string;
  readonly price: { readonly amount: string };
  readonly timeline: readonly { readonly status: string }[];
}

/** Runs the printed `curl` line as it stands and follows its message as far as the handset and the wallet. */
async function firstCall(running: Running): Promise<void> {
  const line = await lineOf(running, /^curl /, INSTALL_MS_MAX);
  const [, base, key] = /(http:\/\/\S+?)\/sms\/send -H 'X-API-Key: (\w+)'/.exec(line) ?? [];
  assert.ok(base && key, line);
  const read = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${base}${path}`, { headers: { "x-api-key": key } })).json()) as Body;

  const before = await read<{ balance: { amount: string } }>("/wallet");
  const { stdout } = await run("sh", ["-c", `${line} -w '\\n%{http_code}'`]);
  const [body, status] = stdout.split("\n");
  assert.equal(status, "202", stdout);
  const { id, price } = JSON.parse(body!) as Message;

  const message = await waitFor("the message is delivered", async () => {
    const now = await read<Message>(`/sms/status/${id}`);
    return now.status === "delivered" && now;
  });
  assert.deepEqual(
    message.timeline.map((step) => step.status),
    ["queued", "sending", "sent", "delivered"],
  );
  const { messages } = await read<{ messages: { message_id: string; text: string }[] }>("/test/handsets/08031234567");
  assert.equal(messages.find(({ message_id }) => message_id === id)?.text, "Hello from Afara");
  const wallet = await read<Record<"balance" | "held", { amount: string }>>("/wallet");
  assert.equal((Number(before.balance.amount) - Number(wallet.balance.amount)).toFixed(2), price.amount);
  assert.equal(wallet.held.amount, "0.00");
}

test("a fresh clone in a path with spaces: npm start, the printed line, delivered, charged, and Ctrl-C ends in order", {
  skip,
}, async () => {
  const port = await freePort();
  const running = startProgram({
    command: ["npm", "start"],
    cwd: clone,
    environment: { PATH, HOME, AFARA_PORT: String(port), AFARA_LOG_LEVEL: "warn" },
    detached: true,
  });
  await firstCall(running);
  assert.match(running.output(), /Installing packages .*\n(.*\n)*Packages installed in \d+ s/);
  const { directory } = await postgresOf(join(clone, "data"));
  assert.equal(directory, join(clone, "data", "postgresql"));

  process.kill(-running.child.pid!, "SIGINT"); // what a terminal does: npm, its shell and the gateway get it together
  await running.ended;
  assert.match(running.output(), /SIGINT: finishing what is under way/);
  await waitFor("the database has ended", () => !isRunning(directory));
  await assert.rejects(fetch(`http://127.0.0.1:${port}/livez`));
});

/** The gateway of the installed clone, without npm. */
async function startClone(dataDir: string, user?: typeof NOBODY): Promise<Running> {
  return startProgram({
    command: [join(clone, "node_modules", ".bin", "node"), join(clone, "src", "main.ts")],
    cwd: clone,
    environment: { HOME, AFARA_DATA_DIR: dataDir, AFARA_PORT: String(await freePort()), AFARA_LOG_LEVEL: "warn" },
    ...(user && { user }),
  });
}

test("a plain user starts it, and the database runs as that user", { skip: skipOthers }, async () => {
  const dataDir = join(place, "a plain user's");
  await mkdir(dataDir);
  await chown(dataDir, NOBODY.uid, NOBODY.gid);
  const running = await startClone(dataDir, NOBODY);
  await firstCall(running);
  assert.equal((await stat(join(dataDir, "postgresql", "postmaster.pid"))).uid, NOBODY.uid);
  assert.equal((await stat(join(dataDir, "test-key"))).mode & 0o777, 0o600);
  running.child.kill("SIGTERM");
  assert.equal(await running.ended, 0, running.output());
});

test("a data directory that a plain user may not write to is told by its path", { skip: skipOthers }, async () => {
  const dataDir = join(place, "root's");
  await mkdir(dataDir);
  const running = await startClone(dataDir, NOBODY);
  assert.equal(await running.ended, 1);
  assert.equal(
    running.output(),
    `Afara can't start:\n  - AFARA_DATA_DIR: ${dataDir} is not writable for this user; choose another directory or mend its rights\n`,
  );
});

test("root starts it from a clone that nobody else can enter: the database goes to /var/lib/afara, as it says", {
  skip: skipOthers,
}, async (t) => {
  await chmod(place, 0o700);
  t.after(() => chmod(place, 0o755));
  const dataDir = join(clone, "closed data");
  removals.push(removesDataDir(dataDir));
  const running = await startClone(dataDir);
  await lineOf(running, /^curl /, START_MS_MAX);
  const { directory } = await postgresOf(dataDir);
  assert.match(directory, /^\/var\/lib\/afara\/\w+\/postgresql$/);
  assert.match(running.output(), new RegExp(`so it is in ${dirname(directory)}\n`));
  await firstCall(running);
  running.child.kill("SIGTERM");
  assert.equal(await running.ended, 0, running.output());
});
