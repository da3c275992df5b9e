import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProbeAnswer } from "../ports/provider.ts";
import { SILENT } from "../testing/database.ts";
import { waitFor } from "../testing/wait-for.ts";
import { connectionFault, makeAccessProbe, strayAnswer } from "./access-probe.ts";

const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
const REFUSED = { kind: "refused", detail: "wrong keys" } as const;
const AWAY = { kind: "not_reached", detail: "ENOTFOUND" } as const;
const REACHED = { kind: "reached" } as const;

test("a vendor that shuts us out is asked until it lets us in again, and each change is one line of the log", async () => {
  const said: (ProbeAnswer | undefined)[] = [AWAY, AWAY, REFUSED, undefined, REFUSED, REACHED, undefined, REACHED];
  const changes: unknown[] = [];
  const lines: string[] = [];
  const write = (level: string) => (fields: object) => void lines.push(`${level} ${JSON.stringify(fields)}`);
  let asked = 0;
  const probe = makeAccessProbe({
    provider: "vendor",
    ask: async () => said[Math.min(asked++, said.length - 1)],
    clock,
    log: { ...SILENT, info: write("info"), warn: write("warn"), error: write("error") },
    pace: { everyMs: 1, awayFirstMs: 1 },
  });
  assert.deepEqual([probe.contact.state, probe.contact.reachedAt], ["asking", null]);
  probe.start(() => changes.push([probe.contact.state, probe.refusal]));
  await waitFor("the answers", () => asked > said.length);
  probe.stop();
  assert.deepEqual(changes, [
    ["not_reached", undefined],
    ["refused", "wrong keys"],
    ["reached", undefined],
  ]);
  assert.deepEqual(
    lines.map((line) => line.split(" ")[0]),
    ["warn", "error", "info"],
  );
  assert.ok(probe.contact.reachedAt! >= probe.contact.since);
});

test("one that is away is asked again soon, then ever more seldom; one that refuses us, no more often than it is when all is well", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  let answer: ProbeAnswer = AWAY;
  const ask = async () => {
    asked += 1;
    return answer;
  };
  const probe = makeAccessProbe({ provider: "vendor", ask, clock, log: SILENT });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const askedAfter = async (ms: number) => {
    t.mock.timers.tick(ms);
    await settled();
    return asked;
  };
  probe.start(() => undefined);
  await settled();
  assert.deepEqual([await askedAfter(999), await askedAfter(1)], [1, 2]);
  assert.deepEqual([await askedAfter(1_999), await askedAfter(1)], [2, 3]);
  for (const ms of [4_000, 8_000, 16_000, 32_000, 60_000]) await askedAfter(ms);
  assert.deepEqual([asked, await askedAfter(59_999)], [8, 8], "a minute is the most");
  answer = REFUSED;
  assert.equal(await askedAfter(1), 9);
  assert.deepEqual([await askedAfter(59_999), await askedAfter(1)], [9, 10]);
  probe.stop();
  assert.equal(await askedAfter(600_000), 10, "nobody is asked once it has been stopped");
});

const answered = (status: number, text: string, headers: Record<string, string> = {}) =>
  ({ kind: "answered", status, text, headers: new Headers(headers) }) as const;
const PAGE = "<!DOCTYPE html><html><body>Sign in to the network</body></html>";

for (const [what, outcome, kind, words] of [
  ["no name", { kind: "not_sent", detail: "ENOTFOUND" }, "not_reached", /not known to DNS \(ENOTFOUND\)/],
  ["nobody there", { kind: "not_sent", detail: "ECONNREFUSED" }, "not_reached", /nothing listens/],
  [
    "another's certificate",
    { kind: "not_sent", detail: "ERR_TLS_CERT_ALTNAME_INVALID" },
    "not_reached",
    /another host/,
  ],
  ["no TLS", { kind: "unknown", detail: "ERR_SSL_WRONG_VERSION_NUMBER" }, "not_reached", /TLS fails/],
  ["silence", { kind: "unknown", detail: "no whole answer within 8000 ms" }, "not_reached", /within 8000 ms/],
  ["a proxy's page", answered(200, PAGE), "not_reached", /HTML page/],
  ["a page by its type", answered(404, "gone", { "content-type": "text/html" }), "not_reached", /HTML page/],
  ["a firewall's page", answered(403, PAGE), "refused", /403 with an HTML page.*IP address/],
  [
    "a redirect",
    answered(302, "", { location: "https://login.example.ng/?token=hush" }),
    "not_reached",
    /redirects to login\.example\.ng, and/,
  ],
  ["a proxy's password", answered(407, ""), "not_reached", /proxy/],
  ["a vendor that is down", answered(503, "{}"), "not_reached", /503/],
] as const)
  test(`${what} is ${kind}, in words that say where to look`, () => {
    const answer = strayAnswer(outcome);
    assert.equal(answer?.kind, kind);
    assert.match(answer && "detail" in answer ? answer.detail : "", words);
    assert.doesNotMatch(JSON.stringify(answer), /hush/);
  });

test("an answer that may be the vendor's own is left to its adapter, and words that are no code stay", () => {
  assert.equal(strayAnswer(answered(200, "{}")), undefined);
  assert.equal(strayAnswer(answered(401, '{"message":"no"}')), undefined);
  assert.equal(connectionFault("no access"), "no access");
});
