// Runs before `npm start`, `npm test` and `npm run bench`, under whatever Node the machine has (20 or newer), before any
// package is installed: plain JavaScript, Node's own modules only. Installs what the lock file names when it is missing. The one
// argument is a folder of the repository that has a lock file of its own.
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", process.argv[2] ?? ".");
const installed = join(folder, "node_modules", ".package-lock.json");
const wanted = join(folder, "package-lock.json");

const major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
  console.error(`Afara needs Node 20 or newer to install itself; this is ${process.version}.`);
  process.exit(1);
}

if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) process.exit(0);

const startedAt = Date.now();
const ofWhat = process.argv[2] === undefined ? "" : ` of ${process.argv[2]}`;
const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
const live = process.stderr.isTTY;
console.error(`Installing packages${ofWhat} (once; about half a minute) …`);
const ticker = setInterval(
  () => process.stderr.write(live ? `\r  … ${seconds()} ` : `  … ${seconds()}\n`),
  live ? 1000 : 5000,
);

// Engine notes are about the Node that installs, not the pinned one that runs Afara, so only errors are worth showing.
const npm = spawn("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
  cwd: folder,
  stdio: ["ignore", "inherit", "inherit"],
  shell: process.platform === "win32",
});
npm.on("error", (error) => {
  clearInterval(ticker);
  console.error(`Could not run npm: ${error.message}. Install npm and try again.`);
  process.exit(1);
});
npm.on("exit", (code) => {
  clearInterval(ticker);
  if (code === 0) console.error(`${live ? "\r" : ""}Packages${ofWhat} installed in ${seconds()}.`);
  else console.error(`npm ci failed (exit code ${code}). Its messages are above; run \`npm ci\` to see more.`);
  process.exit(code === 0 ? 0 : 1);
});
