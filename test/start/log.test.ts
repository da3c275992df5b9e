import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { freePort, makeDataDir, TEST_KEY } from "../../src/testing/gateway.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { lineOf, MAIN, startProgram } from "./program.ts";

/** More lines than a pipe holds that nobody reads: 64 KiB. */
const REQUESTS = 1_000;

test("a log that nobody reads stops no request, and nothing of it is lost once somebody does", async () => {
  const data = await makeDataDir();
  after(() => data.remove());
  const database = await makeTestDatabase();
  const [port, config] = [await freePort(), await writeTestConfig(data.dir)];
  const running = startProgram({
    command: [process.execPath, MAIN],
    environment: {
      AFARA_DATA_DIR: data.dir,
      AFARA_CONFIG: config.path,
      AFARA_PORT: String(port),
      AFARA_TEST_KEY: TEST_KEY,
      DATABASE_URL: database.url,
    },
  });
  await lineOf(running, /Afara listens on/);
  running.child.stderr!.pause();
  const ids: (string | null)[] = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/limits`, {
      headers: { "x-api-key": TEST_KEY },
      signal: AbortSignal.timeout(180_000),
    });
    assert.equal(answer.status, 200);
    await answer.arrayBuffer();
    ids.push(answer.headers.get("request-id"));
  }
  running.child.stderr!.resume();
  running.child.kill("SIGTERM");
  assert.equal(await running.ended, 0);
  const written = new Set(/"request_id":"req_\w+"/g[Symbol.match](running.output()));
  assert.deepEqual(
    ids.filter((id) => !written.has(`"request_id":"${id}"`)),
    [],
  );
});
