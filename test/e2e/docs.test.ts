import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { find, type Place } from "../../portal/src/reference/find.ts";
import { needs } from "../../src/testing/needs.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Problem, startRig } from "./rig.ts";

/** The shell lines of the documents, run as they stand against the running program. */

const ROOT = join(import.meta.dirname, "..", "..");
const readme = await readFile(join(ROOT, "README.md"), "utf8");
const guide = await readFile(join(ROOT, "docs", "guides", "first-sms.md"), "utf8");
const { gateway, provesItsLedger } = await startRig();

/** Blocks of a language below a heading, in order. */
function blocksOf(document: string, heading: string, language: "sh" | "json"): readonly string[] {
  const section = document.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  assert.ok(section, `there is a section "${heading}"`);
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);
}

async function run(block: string): Promise<string> {
  // The gateway of a test has another port and key than a reader's own.
  const script = block
    .replaceAll("http://localhost:8080", gateway.base)
    .replaceAll("$(cat data/test-key)", gateway.key);
  const env = { BASE: gateway.base, KEY: gateway.key, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const { stdout } = await promisify(execFile)("sh", ["-euc", script], { env });
  return stdout;
}

const EXPECTED: readonly (readonly [heading: string, shown: readonly (readonly RegExp[])[]])[] = [
  ["Send it", [[/"id":"msg_/, /"status":"queued"/, /"segments":1/, /"price":/]]],
  [
    "See what became of it",
    [
      [/"status":"delivered"/, /"timeline":\[\{"status":"queued".*"sending".*"sent".*"delivered"/],
      [/"text":"Hello from Afara"/],
      [/"held":\{"amount":"0\.00"/, /"available":/],
      [/"kind":"charge".*"kind":"hold"/],
    ],
  ],
  ["Repeat it safely", [[/^HTTP\/1\.1 202 Accepted/, /idempotent-replayed: true/, /"id":"(msg_\w+)".*"id":"\1"/s]]],
  ["Make it fail", [[/"status":"queued"/], [/"code":"validation_failed"/, /Did you mean `message`/]]],
  ["Watch the price", [[/"encoding":"ucs2"/, /"suggestion":\{"message":"Your bill is N5,000\b/]]],
  ["Send later, and change your mind", [[/"status":"cancelled"/]]],
  ["Send to many", [[/"accepted":2/, /"index":1,.*invalid_phone_number/, /"index":2,.*repeated_recipient/]]],
];

test("the README's first call is accepted, and its answer has the fields that are printed there", {
  skip: needs("curl"),
}, async () => {
  const [call, ...more] = blocksOf(readme, "The first call", "sh");
  const [printed = ""] = blocksOf(readme, "The first call", "json");
  assert.ok(call && more.length === 0);
  const answer = JSON.parse(await run(call)) as Record<string, unknown>;
  const expected = JSON.parse(printed) as Record<string, unknown>;
  const varying = ["id", "created_at", "updated_at"];
  assert.deepEqual(Object.keys(answer), Object.keys(expected));
  for (const [field, value] of Object.entries(expected))
    if (!varying.includes(field)) assert.deepEqual(answer[field], value, field);
  // Its charge would stand between the guide's lines of the statement.
  await waitFor("delivered", async () =>
    /"status":"delivered"/.test(await run(`curl -s $BASE/sms/status/${answer.id} -H "X-API-Key: $KEY"`)),
  );
});

for (const [heading, shown] of EXPECTED) {
  test(`the guide to the first SMS shows what it says under "${heading}"`, { skip: needs("curl") }, async () => {
    const blocks = blocksOf(guide, heading, "sh");
    assert.equal(blocks.length, shown.length, "each block has its expectation in this test");
    for (const [index, block] of blocks.entries()) {
      const patterns = shown[index] ?? [];
      const isRead = !/ -d | -X POST/.test(block); // what is only looked at may take its second to get there
      let output = await run(block);
      const fits = () => patterns.every((pattern) => pattern.test(output));
      if (isRead)
        await waitFor(block, async () => {
          output = await run(block);
          return fits();
        });
      for (const pattern of patterns) assert.match(output, pattern);
    }
  });
}

test("the guide's refusal is the very answer that is printed there", { skip: needs("curl") }, async () => {
  const [, call = ""] = blocksOf(guide, "Make it fail", "sh");
  const [printed = ""] = blocksOf(guide, "Make it fail", "json");
  const { request_id: _, ...answer } = JSON.parse(await run(call)) as Problem;
  const { request_id: __, ...expected } = JSON.parse(printed) as Problem;
  assert.deepEqual(answer, expected);
});

test("every shell line of the guide that calls the gateway is run here", () => {
  const headings = EXPECTED.map(([heading]) => heading);
  const inSections = headings.flatMap((heading) => blocksOf(guide, heading, "sh")).join("");
  const calls = [...guide.matchAll(/^.*curl .*$/gm)].map(([line]) => line);
  for (const line of calls) assert.ok(inSections.includes(line), line);
});

/** What people typed, and what they should have been led to first; some words are others' names for it. */
const LED: readonly (readonly [query: string, ...urls: readonly string[]])[] = [
  ["postman", "/docs#tools"],
  ["insufficient_funds", "/docs/errors/insufficient_balance"],
  ["insufficient_balance", "/docs/errors/insufficient_balance"],
  ["rate limit", "/docs/errors/rate_limited"],
  ["send_at", "/docs/api/sms#sendSms", "/docs/api/sms#getSms"],
  ["scheduled SMS", "/docs/guides/first-sms#send-later-and-change-your-mind", "/docs/api/sms"],
  ["send sms", "/docs/api/sms#sendSms", "/docs/api/sms#sendBulkSms"],
  ["postman xyzzy", "/docs#tools"],
];
for (const [query, ...urls] of LED) {
  test(`the search for "${query}" leads to ${urls[0]}`, async () => {
    const places = (await (await fetch(`${gateway.base}/docs/search.json`)).json()) as readonly Place[];
    const found = find(places, query).map(({ url }) => url);
    assert.deepEqual(found.slice(0, urls.length), urls);
  });
}

provesItsLedger();
