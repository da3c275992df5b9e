import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { keepCompiled } from "./compile-cache.ts";

/** `./afara …`: the environment in, an exit code out. */

const ROOT = join(import.meta.dirname, "..", "..");

keepCompiled(ROOT, homedir(), process.getuid?.());
// Only modules imported after this are cached.
const { runCli } = await import("./program.ts");

// `./afara account list | head -1`: a closed pipe is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await runCli(
  process.argv.slice(2),
  {
    environment: process.env,
    root: ROOT,
    ...systemUser(),
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    readInput,
    terminal: process.stdin.isTTY && process.stderr.isTTY ? { ask, progress } : undefined,
  },
  {
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
  },
);

function readInput(hint: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(`${hint}\n`);
  return text(process.stdin);
}

async function ask(question: string, { hidden = false } = {}): Promise<string> {
  process.stderr.write(question);
  // A passphrase must not be displayed: readline's echo is discarded.
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    if (hidden) process.stderr.write("\n");
  }
}

function progress(line: string): void {
  process.stderr.write(`\r${line}\u001b[K`);
}

/** In a container the user may have no name. */
function systemUser(): { readonly user?: string } {
  try {
    return { user: userInfo().username };
  } catch {
    return {};
  }
}
