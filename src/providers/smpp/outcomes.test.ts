import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOfStatus, STATUS_TABLE, type VendorStatus } from "./outcomes.ts";
import { checkedSettings } from "./test-rig.ts";
import { COMMAND_STATUS, type StatusName } from "./wire/status.ts";

const NO_MAP: ReadonlyMap<number, VendorStatus> = new Map();
const answer = (name: StatusName) => outcomeOfStatus(COMMAND_STATUS[name].code, NO_MAP, 1_000);

const ROWS: readonly (readonly [name: StatusName, kind: string, scope?: string, code?: string])[] = [
  ["RTHROTTLED", "throttled"],
  ["RMSGQFUL", "throttled"],
  ["RINVBNDSTS", "throttled"],
  ["RINVDSTADR", "rejected", "order", "invalid_number"],
  ["RINVSRCADR", "rejected", "order", "sender_refused"],
  ["RINVMSGLEN", "rejected", "route", "route_misconfigured"],
  ["RSUBMITFAIL", "rejected", "route", "rejected_by_network"],
  ["RDELIVERYFAILURE", "rejected", "route", "rejected_by_network"],
  ["RSYSERR", "unknown"],
  ["RUNKNOWNERR", "unknown"],
  ["RINVMSGID", "unknown"],
  ["RQUERYFAIL", "unknown"],
  ["RX_T_APPN", "unknown"],
];
for (const [name, kind, scope, code] of ROWS) {
  test(`${name} is ${[kind, scope, code].filter(Boolean).join(", ")}`, () => {
    const outcome = answer(name);
    assert.equal(outcome.kind, kind);
    if (outcome.kind === "rejected") assert.deepEqual([outcome.scope, outcome.code], [scope, code]);
    if (outcome.kind === "throttled") assert.equal(outcome.retryAfterMs, 1_000);
  });
}

const NAMED = new Set(ROWS.map(([name]) => name));
for (const name of (Object.keys(STATUS_TABLE) as StatusName[]).filter((name) => !NAMED.has(name))) {
  test(`${name} is the operator's to mend: the next route may take the message`, () => {
    const outcome = answer(name);
    assert.ok(outcome.kind === "rejected");
    assert.deepEqual([outcome.scope, outcome.code], ["route", "route_misconfigured"]);
  });
}

test("a status that nobody listed is unknown, with its number", () => {
  const outcome = outcomeOfStatus(0x0410, NO_MAP, 1_000);
  assert.deepEqual(outcome, { kind: "unknown", detail: "command_status 0x0410" });
});

test("statusMap names a vendor's own codes and changes the meaning of others", () => {
  const { statusMap } = checkedSettings({
    statusMap: {
      "0x0410": { kind: "rejected", scope: "order", code: "dnd" },
      "69": { kind: "throttled", retryAfterMs: 5_000 },
    },
  });
  const dnd = outcomeOfStatus(0x0410, statusMap, 1_000);
  assert.ok(dnd.kind === "rejected");
  assert.deepEqual([dnd.scope, dnd.code], ["order", "dnd"]);
  const submitFail = outcomeOfStatus(0x45, statusMap, 1_000);
  assert.equal(submitFail.kind === "throttled" && submitFail.retryAfterMs, 5_000);
});
