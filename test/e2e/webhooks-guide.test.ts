import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { needs } from "../../src/testing/needs.ts";
import { Receiver } from "../../src/testing/receiver.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import {
  makePrivateKey,
  publicKeyText,
  SECRET_BYTES,
  type SigningKey,
  secretText,
  signaturesOf,
} from "../../src/webhooks/signing.ts";
import { openGuide, pastePage } from "./guide.ts";
import { startRig } from "./rig.ts";

const rig = await startRig();
const guide = await openGuide("webhooks.md", rig);

/** What is verified, and whether it is ours. */
interface Case {
  readonly name: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64. */
  readonly body: string;
  readonly isOurs: boolean;
}

const newKey = (): SigningKey => ({ secret: randomBytes(SECRET_BYTES), privateKey: makePrivateKey() });

function casesOf(kind: "v1" | "v1a"): readonly Case[] {
  const [key, other] = [newKey(), newKey()];
  const textOf = (one: SigningKey) => (kind === "v1" ? secretText(one.secret) : publicKeyText(one.privateKey));
  const body = Buffer.from('{"text":"₦1,500 é \\u00e9","n":1.50}');
  const id = "evt_01kb3v9q4ze1xb8m6t2r5y7w0n";
  const make = (
    name: string,
    isOurs: boolean,
    keys: readonly SigningKey[],
    seconds: number,
    more: Partial<Case> = {},
  ): Case => ({
    name: `${kind}: ${name}`,
    isOurs,
    key: textOf(key),
    body: body.toString("base64"),
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signaturesOf(keys, id, seconds, body),
    },
    ...more,
  });
  const now = Math.floor(Date.now() / 1_000);
  const ours = make("a delivery", true, [key], now);
  const withHeader = (name: string, value: string) => ({ headers: { ...ours.headers, [name]: value } });
  return [
    ours,
    make("the first of two keys", true, [key, other], now),
    make("the second of two keys", true, [other, key], now),
    make("another endpoint's", false, [other], now),
    make("other bytes", false, [key], now, { body: Buffer.from('{"text":"₦1,500 é é","n":1.5}').toString("base64") }),
    make("another id", false, [key], now, withHeader("webhook-id", "evt_other")),
    make("an old one", false, [key], now - 301),
    make("one of the future", false, [key], now + 600),
    make("a time that is none", false, [key], now, withHeader("webhook-timestamp", "soon")),
    make("no signature", false, [key], now, withHeader("webhook-signature", "")),
    make("a signature of another length", false, [key], now, withHeader("webhook-signature", `${kind},AAAA`)),
    make("a signature that is no base64", false, [key], now, withHeader("webhook-signature", `${kind},%%% ${kind}`)),
    make("no headers", false, [key], now, { headers: {} }),
  ];
}

const [v1, v1a] = [casesOf("v1"), casesOf("v1a")];

/** Runs the guide's code with an ending that reads cases from standard input and prints what it takes for ours. */
function verdicts(
  command: readonly [string, ...string[]],
  program: string,
  extension: string,
  cases: readonly Case[],
): readonly boolean[] {
  const file = join(guide.folder, `verify.${extension}`);
  writeFileSync(file, program);
  const [name, ...args] = command;
  const { stdout, stderr, status } = spawnSync(name, [...args, file], {
    input: JSON.stringify(cases),
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  return JSON.parse(stdout) as boolean[];
}

const isRight = (cases: readonly Case[], found: readonly boolean[]) =>
  assert.deepEqual(
    cases.map(({ name }, index) => `${name}: ${found[index]}`),
    cases.map(({ name, isOurs }) => `${name}: ${isOurs}`),
  );

const blockOf = (language: string): string => {
  const [block, ...others] = guide.blocks(language);
  assert.ok(block !== undefined && others.length === 0, `the guide has one block of ${language}`);
  return block;
};

test("the guide's TypeScript tells our deliveries from others, by either kind of signature", () => {
  const ending = `
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map((one: any) => isFromAfara(one.key, one.headers, Buffer.from(one.body, "base64")))));`;
  const program = `import { readFileSync } from "node:fs";\n${blockOf("ts")}${ending}`;
  const cases = [...v1, ...v1a];
  isRight(cases, verdicts([process.execPath], program, "ts", cases));
});

test("the guide's Python tells our deliveries from others", { skip: needs("python") }, () => {
  const ending = `
import json, sys
print(json.dumps([is_from_afara(one["key"], one["headers"], base64.b64decode(one["body"])) for one in json.load(sys.stdin)]))
`;
  isRight(v1, verdicts(["python3"], blockOf("python") + ending, "py", v1));
});

test("the guide's PHP tells our deliveries from others, by either kind of signature", { skip: needs("php") }, () => {
  const ending = `
$found = array_map(fn ($one) => is_from_afara($one['key'], $one['headers'], base64_decode($one['body'])), json_decode(file_get_contents('php://stdin'), true));
echo json_encode($found);
`;
  const cases = [...v1, ...v1a];
  isRight(cases, verdicts(["php"], `<?php\n${blockOf("php")}${ending}`, "php", cases));
});

test("the guide's commands make an endpoint, show its deliveries, send again, ping, and change the secret", async () => {
  const receiver = await Receiver.start();
  const { printed, failed } = await pastePage("guides/webhooks.md", rig, {
    "http://localhost:3000/hook": receiver.url,
  });
  assert.deepEqual(failed, []);
  const made = JSON.parse(/\{"id":"whe_[^{}]*"secret":[^{}]*\}/.exec(printed)?.[0] ?? "{}") as Record<string, unknown>;
  const [shown] = guide.blocks("json").map((text) => JSON.parse(text) as Record<string, unknown>);
  assert.deepEqual(Object.keys(made), Object.keys(shown!));
  assert.equal(printed.match(/whsec_/g)?.length, 2, printed);
  for (const object of ["list", "webhook_ping"]) assert.ok(printed.includes(`"object":"${object}"`), printed);
  await waitFor("both pings", () => receiver.taken.length >= 1);
  const found = await waitFor("an active endpoint", async () => {
    const { body } = await rig.local.get<{ data: { id: string; status: string }[] }>("/webhooks");
    return body.data.find(({ status }) => status === "active");
  });
  const replayed = await rig.local.post(`/webhooks/${found.id}/replay`, { failed_since: "2026-11-26T00:00:00Z" });
  assert.equal(replayed.status, 202);
});
