import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { endWithFile } from "../../src/testing/end-with-file.ts";
import { freePort } from "../../src/testing/gateway.ts";
import { needs } from "../../src/testing/needs.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { blocksIn, openGuide, pastePage } from "./guide.ts";
import { startRig } from "./rig.ts";

/** Every page whose shell lines need a running gateway, all against one, each pasted as a whole. */

const rig = await startRig();
await waitFor("the data plans", async () => {
  const { body } = await rig.local.get<{ as_of: string | null }>("/airtime/data/plans");
  return body.as_of;
});

interface Page {
  /** What the page says that its lines show. */
  readonly shows: readonly RegExp[];
  /** Commands that end with 1 by what they found, as the page says. */
  readonly finds?: readonly RegExp[];
}

/** Guides whose lines are live, or for a process by hand: tests of their own run them. */
const ELSEWHERE = ["guides/operator-first-hour.md", "guides/smsc-simulator.md", "guides/vendor-simulators.md"];

const PAGES: Readonly<Record<string, Page>> = {
  "operations/accounts.md": {
    shows: [/Ikoyi Foods/, /afara_live_/, /₦150\.00 is available/, /account\.suspend/, /key\.revoke/],
  },
  "operations/people.md": { shows: [/invited|invitation/i, /ada@example\.ng/] },
  "operations/plans.md": { shows: [/growth/, /^AVAILABLE +₦(?:[5-9]|1\d),\d{3}\.\d\d$/m] },
  "operations/senders.md": { shows: [/"sender":"Acme"/, /approved/, /refused/, /32811/, /\+?2347000000999/] },
  "operations/cases-and-reconciliation.md": {
    shows: [
      /amount_differs/,
      /status_differs/,
      /cas_\w+ is closed/,
      /OUR REFERENCE/,
      /^PROVIDER +ADAPTER +ROUTES +STATE$/m,
    ],
    finds: [/\.\/afara cases list/, /\.\/afara reconcile/],
  },
  "operations/running.md": { shows: [/The ledger is in order\./, /smsc-simulator/, /Restored installation ins_/] },
  "guides/selling-purchases.md": { shows: [/₦200\.00 is available/, /"code":"provider_unavailable"/] },
  "guides/first-sms.md": { shows: [/"status":"delivered"/, /idempotent-replayed: true/, /"status":"cancelled"/] },
  "guides/airtime-and-data.md": {
    shows: [/"status":"successful"/, /idempotent-replayed: true/i, /"plan_id":"mtn-1gb/],
  },
  "guides/electricity.md": { shows: [/"verification_id":"ver_/, /"tokens":/, /Token: /] },
  "guides/chat.md": { shows: [/"open":true/, /"type":"cta_url"/] },
};

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const pages = globSync(["guides/*.md", "operations/*.md"], { cwd: DOCS })
  .filter((page) => blocksIn(readFileSync(join(DOCS, page), "utf8"), "sh").length > 0)
  .filter((page) => !ELSEWHERE.includes(page));

test("every page of this table has shell lines", () => {
  for (const page of Object.keys(PAGES)) assert.ok(pages.includes(page), page);
});

for (const page of pages.sort()) {
  const { shows, finds = [] } = PAGES[page] ?? { shows: [] };
  test(`${page}, pasted at once, runs to its end and shows what it says`, { skip: needs("curl") }, async () => {
    const { printed, failed } = await pastePage(page, rig);
    const unexpected = failed.filter((line) => !finds.some((known) => known.test(line)));
    assert.deepEqual(unexpected, []);
    for (const expected of shows) assert.match(printed, expected);
    assert.doesNotMatch(printed, /"code":"(?:internal_error|missing_api_key|invalid_api_key|invalid_json)"/);
  });
}

test("the SMSC simulator is started by hand as its guide says", async (t) => {
  const guide = await openGuide("smsc-simulator.md", rig);
  const [command = "", ...more] = guide.blocks("sh");
  assert.deepEqual(more, []);
  const [smpp, control] = [await freePort(), await freePort()];
  const script = `exec ${command.replace("2775", String(smpp)).replace("2776", String(control))}`;
  const simulator = spawn("sh", ["-euc", script], { cwd: guide.folder });
  endWithFile(simulator);
  t.after(() => simulator.kill());
  let printed = "";
  simulator.stdout.on("data", (chunk: Buffer) => (printed += chunk));
  await waitFor("its line", () => printed.includes("\n") || undefined);
  assert.equal(printed, `{"ready":true,"smppPort":${smpp},"controlPort":${control}}\n`);
});

rig.provesItsLedger();
