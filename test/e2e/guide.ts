import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import type { Rig } from "./rig.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DOCS = join(ROOT, "docs");
const run = promisify(execFile);

export interface Guide {
  readonly text: string;
  /** Its code blocks in a language. */
  blocks(language: string): readonly string[];
  /** Runs the guide's only command that has this text in it, after the one that sets address and key; gives what it printed. */
  following(part: string): Promise<string>;
  /** The folder that its reader stands in. */
  readonly folder: string;
}

/** A guide of `docs/guides`, to be run command by command. */
export async function openGuide(name: string, rig: Pick<Rig, "gateway" | "local">): Promise<Guide> {
  const text = readFileSync(join(DOCS, "guides", name), "utf8");
  const folder = await makeReadersFolder(rig);
  const blocks = (language: string): readonly string[] => blocksIn(text, language);
  const [first = "", ...commands] = blocks("sh").filter((command) => !command.startsWith("npm start"));

  return {
    text,
    folder,
    blocks,
    async following(part) {
      const found = commands.filter((command) => command.includes(part));
      assert.equal(found.length, 1, `${found.length} commands of the guide have ${part}`);
      const script = atGateway([first, ...found].join("\n"), rig);
      const { stdout } = await run("sh", ["-euc", script], { cwd: folder, env: readersEnvironment(folder) });
      return stdout;
    },
  };
}

export interface Pasted {
  readonly printed: string;
  /** Commands that ended with another code than 0, and what they said on standard error. */
  readonly failed: readonly string[];
}

/**
 * Pastes all shell blocks of a page (`operations/accounts.md`) into one `bash` at once, as a person would: a command that
 * reads its standard input gets the lines behind it. `places`: what stands for addresses of the page, besides the gateway's.
 */
export async function pastePage(
  page: string,
  rig: Pick<Rig, "gateway" | "local" | "environment">,
  places: Readonly<Record<string, string>> = {},
): Promise<Pasted> {
  const commands = blocksIn(readFileSync(join(DOCS, page), "utf8"), "sh").filter(
    (command) => !command.startsWith("npm start"),
  );
  assert.ok(commands.length > 0, `${page} has shell lines`);
  const folder = await makeReadersFolder(rig);
  const shell = spawn("bash", [], {
    cwd: folder,
    env: readersEnvironment(folder, { ...rig.environment, USER: "ada" }),
  });
  const failed: string[] = [];
  const [printed, complaints] = [
    shell.stdout.setEncoding("utf8").toArray(),
    shell.stderr.setEncoding("utf8").toArray(),
  ];
  const script = Object.entries(places).reduce(
    (text, [address, place]) => text.replaceAll(address, place),
    atGateway(commands.join(""), rig),
  );
  shell.stdin.end(`trap 'echo "FAILED $? $BASH_COMMAND" >&2' ERR\n${script}\necho; echo "page read"\n`);
  const [out, err] = [(await printed).join(""), (await complaints).join("")];
  assert.match(out, /^page read$/m, `no command took the lines behind it for its own input: ${err}`);
  for (const line of err.split("\n")) if (line !== "") failed.push(line);
  return { printed: out, failed };
}

export const blocksIn = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);

const atGateway = (script: string, { gateway }: Pick<Rig, "gateway">): string =>
  script.replaceAll("http://localhost:8080", gateway.base);

/**
 * A reader's shell knows nothing of the run of the tests, of which the command line would warn. What its `mktemp` makes is in the
 * reader's folder, and goes with it.
 */
const readersEnvironment = (folder: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("AFARA_TEST_"))),
  ...more,
  TMPDIR: folder,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
});

/** A folder like the one that a reader stands in: the program, and `data` with what a gateway left there. */
async function makeReadersFolder(rig: Pick<Rig, "gateway" | "local">): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "afara-guide-"));
  after(() => rm(folder, { recursive: true, force: true }));
  for (const part of ["node_modules", "src", "afara"]) await symlink(join(ROOT, part), join(folder, part));
  await mkdir(join(folder, "data", "vendors"), { recursive: true });
  await writeFile(join(folder, "data", "test-key"), `${rig.local.key}\n`);
  const control = join("vendors", "control-url");
  if (existsSync(join(rig.gateway.dataDir, control)))
    await copyFile(join(rig.gateway.dataDir, control), join(folder, "data", control));
  return folder;
}
