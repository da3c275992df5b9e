import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "..", "..");
const PORTAL = join(ROOT, "portal");
const OUR_TYPESCRIPT = join(ROOT, "node_modules", "typescript", "bin", "tsc");

const data = await makeDataDir();
let gateway: Gateway;
let folder = "";

before(async () => {
  gateway = await startGateway({ dataDir: data.dir });
  folder = await mkdtemp(join(tmpdir(), "afara-portal-types-"));
  await cp(join(PORTAL, "src"), join(folder, "src"), { recursive: true });
  await cp(join(PORTAL, "tsconfig.json"), join(folder, "tsconfig.json"));
  await symlink(join(PORTAL, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "openapi.json"), await (await fetch(`${gateway.base}/openapi.json`)).text());
});

after(async () => {
  await gateway?.stop();
  await data.remove();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test("the pages keep the strict rules of TypeScript, and ask the API for nothing that its document does not have", async () => {
  const generator = join(folder, "node_modules", "openapi-typescript", "bin", "cli.js");
  const types = join("src", "api", "paths.d.ts");
  await run(process.execPath, [generator, "openapi.json", "-o", types], { cwd: folder });
  const { stdout } = await run(process.execPath, [OUR_TYPESCRIPT, "--noEmit"], { cwd: folder }).catch(
    (failed) => failed,
  );
  assert.equal(stdout, "");
});
