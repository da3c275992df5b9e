import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { test } from "node:test";
import { makeDataDir } from "../testing/gateway.ts";
import { startEmbedded } from "./embedded.ts";

const asRoot = process.getuid?.() === 0;

test("a database whose directory was closed to its user is not mistaken for none", {
  skip: asRoot ? false : "only root's gateway runs the server as another user",
}, async (t) => {
  const data = await makeDataDir();
  t.after(data.remove);
  const server = await startEmbedded(data.dir, { progress: () => undefined });
  await server.stop();
  chmodSync(data.dir, 0o700);
  // From a clone that the server's user can't enter the database was never in here, and is found where it is.
  if (server.movedTo === undefined)
    await assert.rejects(startEmbedded(data.dir, { progress: () => undefined }), /can't get there any more/);
  else await (await startEmbedded(data.dir, { progress: () => undefined })).stop();
  chmodSync(data.dir, 0o755);
  const again = await startEmbedded(data.dir, { progress: () => undefined });
  await again.stop();
  assert.equal(again.directory, server.directory);
});
