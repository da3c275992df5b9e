import assert from "node:assert/strict";
import { test } from "node:test";
import { waitOf } from "./prefer.ts";

const wait = (prefer: string | string[] | undefined) =>
  waitOf({ headers: prefer === undefined ? {} : { prefer: prefer as string } });

test("without a preference the answer waits for the outcome up to 20 seconds", () => {
  assert.equal(wait(undefined), 20_000);
  assert.equal(wait("return=minimal"), 20_000);
});

test("a caller says how long it waits, and that it does not wait at all", () => {
  assert.equal(wait("wait=5"), 5_000);
  assert.equal(wait("return=minimal, wait=0"), 0);
  assert.equal(wait('Wait="7"; foo=bar'), 7_000);
  assert.equal(wait("respond-async"), 0);
  assert.equal(wait("respond-async, wait=10"), 0);
  assert.equal(wait("wait=600"), 20_000);
});

test("a preference that can't be read is ignored", () => {
  for (const prefer of ["wait=-1", "wait=1.5", "wait=soon", "wait", ""]) assert.equal(wait(prefer), 20_000);
});
