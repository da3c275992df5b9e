// Builds the portal's pages when they are missing or older than their sources: before `npm start` and `npm test`. Under whatever
// Node the machine has, after scripts/install.mjs: plain JavaScript, Node's own modules only. When there is nothing to do it
// costs the reading of some dates.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
const root = join(scripts, "..");
const portal = join(root, "portal");
/** What the pages were built from, beside them. */
const stamp = join(portal, "dist", "built-from");

/** The types of the API's answers are for the check alone. */
const isSource = (name) => !name.startsWith(".") && name !== "paths.d.ts";
const MADE = ["node_modules", "made", "dist"];

/** Every file below it that is written by people. */
function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) isSource(entry.name) && (yield path);
    else if (!MADE.includes(entry.name)) yield* filesIn(path);
  }
}

const sources = createHash("sha256");
for (const path of [...filesIn(portal)].sort()) {
  const { mtimeMs, size } = statSync(path);
  sources.update(`${relative(portal, path)} ${mtimeMs} ${size}\n`);
}
const wanted = sources.digest("hex");
if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) process.exit(0);

const installed = spawnSync(process.execPath, [join(scripts, "install.mjs"), "portal"], { stdio: "inherit" });
if (installed.status !== 0) process.exit(installed.status ?? 1);

const startedAt = Date.now();
const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
const live = process.stderr.isTTY;
console.error("Building the portal's pages (once; some seconds) …");
const ticker = setInterval(
  () => process.stderr.write(live ? `\r  … ${seconds()} ` : `  … ${seconds()}\n`),
  live ? 1000 : 5000,
);

// The pinned Node: the machine's own may be too old for what builds.
const isWindows = process.platform === "win32";
const node = join(root, "node_modules", ".bin", isWindows ? "node.cmd" : "node");
const build = spawn(isWindows ? `"${node}"` : node, ["build.mjs"], {
  cwd: portal,
  stdio: ["ignore", "inherit", "inherit"],
  shell: isWindows,
});
build.on("error", (error) => {
  clearInterval(ticker);
  console.error(`Could not run ${node}: ${error.message}.`);
  process.exit(1);
});
build.on("exit", (code) => {
  clearInterval(ticker);
  if (code === 0) writeFileSync(stamp, wanted);
  if (code === 0) console.error(`${live ? "\r" : ""}The portal's pages are built in ${seconds()}.`);
  else console.error(`The portal's pages were not built (exit code ${code}). The reason is above.`);
  process.exit(code === 0 ? 0 : 1);
});
