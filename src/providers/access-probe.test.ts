import assert from "node:assert/strict";
import { test } from "node:test";
import { SILENT } from "../testing/database.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeAccessProbe } from "./access-probe.ts";

test("a vendor that shuts us out is asked until it lets us in again; without an answer nothing changes", async () => {
  const said = [{ refusal: "wrong keys" }, undefined, { refusal: "wrong keys" }, { refusal: undefined }, undefined];
  const changes: (string | undefined)[] = [];
  let asked = 0;
  const probe = makeAccessProbe("vendor", async () => said[Math.min(asked++, said.length - 1)], SILENT, 1);
  probe.start(() => changes.push(probe.refusal));
  await waitFor("the answers", () => asked > said.length);
  await probe.stop();
  assert.deepEqual(changes, ["wrong keys", undefined]);
  assert.equal(probe.refusal, undefined);
});
