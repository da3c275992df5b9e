import assert from "node:assert/strict";
import { after, test } from "node:test";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import type { Metrics } from "../ports/metrics.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { makeRequestLogPart } from "./index.ts";

const database = await makeTestDatabase();
const db = database.open();

const metrics: Metrics = {
  counter: () => ({ add: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  gauge: () => undefined,
};
const now = new Date();
const part = makeRequestLogPart({ db, clock: { now: () => now, monotonicMs: () => 0 }, log: SILENT, metrics });
after(() => part.close());

const send = (accountId: Uuid) =>
  part.keep({
    id: encodeId("req", newUuid()),
    accountId,
    mode: "test",
    keyId: newUuid(),
    personId: null,
    method: "POST",
    url: "/sms/send",
    headers: {},
    body: { to: "+2348031234567" },
    status: 202,
    code: undefined,
    durationMs: 1,
    about: undefined,
    answer: undefined,
  });
const keptOf = async (accounts: readonly Uuid[]) => {
  await part.close();
  const { rows } = await db.query<{ requests: bigint; bodies: bigint }>(
    "select count(*) as requests, count(request_body) as bodies from request_log where account_id = any($1)",
    [accounts],
  );
  return rows.map(({ requests, bodies }) => [Number(requests), Number(bodies)])[0];
};

test("a burst of one account keeps 500 bodies, one of many accounts 1,000, and every request has its row", async () => {
  const [one, ...others] = Array.from({ length: 31 }, newUuid);
  for (let sent = 0; sent < 600; sent += 1) send(one!);
  assert.deepEqual(await keptOf([one!]), [600, 500]);
  for (let turn = 0; turn < 40; turn += 1) for (const other of others) send(other);
  assert.deepEqual(await keptOf(others), [1_200, 500]);
});
