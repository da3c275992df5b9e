import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import type { Rig } from "./rig.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const GUIDES = join(ROOT, "docs", "guides");
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

/** A guide in a folder like the one that its reader stands in: the program, and `data` with what a gateway left there. */
export async function openGuide(name: string, rig: Pick<Rig, "gateway" | "local">): Promise<Guide> {
  const text = readFileSync(join(GUIDES, name), "utf8");
  const folder = await mkdtemp(join(tmpdir(), "afara-guide-"));
  after(() => rm(folder, { recursive: true }));
  for (const part of ["node_modules", "src"]) await symlink(join(ROOT, part), join(folder, part));
  await mkdir(join(folder, "data", "vendors"), { recursive: true });
  await writeFile(join(folder, "data", "test-key"), `${rig.local.key}\n`);
  const control = join("vendors", "control-url");
  if (existsSync(join(rig.gateway.dataDir, control)))
    await copyFile(join(rig.gateway.dataDir, control), join(folder, "data", control));

  const blocks = (language: string): string[] =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);
  const [first = "", ...commands] = blocks("sh").filter((command) => !command.startsWith("npm start"));

  return {
    text,
    folder,
    blocks,
    async following(part) {
      const found = commands.filter((command) => command.includes(part));
      assert.equal(found.length, 1, `${found.length} commands of the guide have ${part}`);
      const script = [first, ...found].join("\n").replaceAll("http://localhost:8080", rig.gateway.base);
      const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
      const { stdout } = await run("sh", ["-euc", script], { cwd: folder, env: { ...process.env, PATH: path } });
      return stdout;
    },
  };
}
