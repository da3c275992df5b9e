import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { startRig } from "./rig.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);
const rig = await startRig();

const guide = readFileSync(join(ROOT, "docs", "guides", "first-sms.md"), "utf8");
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
const commands = blocks("sh").filter((text) => !text.startsWith("npm start"));

/** Where `data/test-key` is, as in the folder that the reader stands in. */
const folder = await mkdtemp(join(tmpdir(), "afara-guide-"));
after(() => rm(folder, { recursive: true }));
await mkdir(join(folder, "data"));
await writeFile(join(folder, "data", "test-key"), `${rig.local.key}\n`);

/** Runs commands of the guide in one shell; gives what they printed. */
async function shell(...texts: string[]): Promise<string> {
  const script = texts.join("\n").replaceAll("http://localhost:8080", rig.gateway.base);
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const { stdout } = await run("sh", ["-euc", script], { cwd: folder, env: { ...process.env, PATH: path } });
  return stdout;
}

/** The guide's only command with this text in it, after the one that sets address and key. */
function following(part: string): Promise<string> {
  const found = commands.filter((text) => text.includes(part));
  assert.equal(found.length, 1, `${found.length} commands of the guide have ${part}`);
  return shell(commands[0] as string, found[0] as string);
}

test("the guide's first message is sent, delivered and seen on the handset, by its own commands", async () => {
  const { id } = JSON.parse(await following('"message":"Hello from Afara"')) as { id: string };
  await rig.local.reached(id, "delivered");
  const [printedId, status = ""] = (await following("/sms/status/")).split("\n");
  const shown = JSON.parse(status) as { id: string; timeline: { status: string }[] };
  assert.deepEqual([printedId, shown.id], [id, id]);
  assert.deepEqual(
    shown.timeline.map(({ status }) => status),
    ["queued", "sending", "sent", "delivered"],
  );
  assert.match(await following("/test/handsets/"), /"text":"Hello from Afara"/);
  assert.deepEqual(Object.keys(JSON.parse(await following("/wallet"))), ["balance", "held", "available", "currency"]);
});

test("the guide's repeat is answered from the first message", async () => {
  const printed = await following("Idempotency-Key");
  assert.equal(printed.match(/HTTP\/1\.1 202/g)?.length, 2);
  assert.equal(printed.match(/^idempotent-replayed: true/gim)?.length, 1);
  assert.equal(new Set(printed.match(/msg_[0-9a-z]+/g)).size, 1);
});

test("the guide's message to nobody ends as its table says", async () => {
  const { id } = JSON.parse(await following("+2348000000001")) as { id: string };
  const { status, failure } = await rig.local.ended(id);
  assert.match(guide, new RegExp(`\\| \`\\+2348000000001\` \\| \`${status}\`, \`${failure?.code}\` \\|`));
});

test("the guide's faulty request is answered as the guide shows", async () => {
  const shown = JSON.parse(blocks("json").find((text) => text.includes('"type"')) ?? "{}") as object;
  const answered = JSON.parse(await following('"mesage"')) as { request_id: string };
  assert.deepEqual(answered, { ...shown, request_id: answered.request_id });
});

test("the guide's preview, cancelled message and bulk do what it says", async () => {
  const preview = JSON.parse(await following("/sms/preview")) as { segments: number; suggestion: { segments: number } };
  assert.deepEqual([preview.segments, preview.suggestion.segments], [2, 1]);
  assert.match(await following("/sms/cancel/"), /"status":"cancelled"/);
  assert.match(
    await following("/sms/bulk"),
    /"accepted":2,.*"code":"invalid_phone_number".*"code":"repeated_recipient"/,
  );
});

test("running.md explains every variable that the gateway reads, and none besides", () => {
  const read = readFileSync(join(ROOT, "src", "config.ts"), "utf8").match(
    /(?<=")(?:AFARA|DATABASE|REDIS)_[A-Z_]+(?=")/g,
  );
  const table = readFileSync(join(ROOT, "docs", "operations", "running.md"), "utf8").match(/^\| `[A-Z_`, ]+/gm);
  const explained = table?.flatMap((row) => row.match(/[A-Z_]{2,}/g) ?? []);
  assert.deepEqual(explained?.sort(), [...new Set(read)].sort());
});

test("every link of a document to another file leads there", () => {
  const documents = globSync(["*.md", "docs/**/*.md", "bench/*.md"], { cwd: ROOT });
  const broken = documents.flatMap((document) =>
    [...readFileSync(join(ROOT, document), "utf8").matchAll(/\]\((?!https?:|\/)([^)#]+)(?:#[^)]*)?\)/g)]
      .filter(([, target = ""]) => !existsSync(join(ROOT, dirname(document), target)))
      .map(([, target = ""]) => `${document}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

rig.provesItsLedger();
