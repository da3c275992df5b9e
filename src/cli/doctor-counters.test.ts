import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCli } from "../testing/cli.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { makeDataDir } from "../testing/gateway.ts";
import { needs } from "../testing/needs.ts";
import { startRedis } from "../testing/redis-server.ts";

const database = await makeTestDatabase();
const data = await makeDataDir();
after(() => data.remove());
const afara = makeCli({ AFARA_DATA_DIR: data.dir, DATABASE_URL: database.url });

test("the doctor says whether the server of the shared counters counts", { skip: needs("redis") }, async () => {
  const redis = await startRedis();
  const environment = { REDIS_URL: redis.url };
  try {
    const sound = await afara(["doctor"], environment);
    assert.match(sound.out, /✔ counters +the server at REDIS_URL counts for all nodes/);
    assert.equal(sound.code, 0, sound.out);
  } finally {
    await redis.kill();
  }
  const away = await afara(["doctor"], environment);
  assert.match(
    away.out,
    /✖ counters +the server at REDIS_URL does not count \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)/,
  );
  assert.equal(away.code, 1);
});

test("a REDIS_URL that is none is a fault of the configuration", async () => {
  const { code, out } = await afara(["doctor"], { REDIS_URL: "localhost:6379" });
  assert.match(out, /✖ configuration +.*REDIS_URL: must look like redis:\/\//);
  assert.equal(code, 1);
});
