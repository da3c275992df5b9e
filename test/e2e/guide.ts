import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";
import type { Rig } from "./rig.ts";

const GUIDES = join(import.meta.dirname, "..", "..", "docs", "guides");
const run = promisify(execFile);

export interface Guide {
  readonly text: string;
  /** Its code blocks in a language. */
  blocks(language: string): readonly string[];
  /** Runs the guide's only command that has this text in it, after the one that sets address and key; gives what it printed. */
  following(part: string): Promise<string>;
}

/** A guide in a folder with `data/test-key`, like the one that its reader stands in. */
export async function openGuide(name: string, rig: Pick<Rig, "gateway" | "local">): Promise<Guide> {
  const text = readFileSync(join(GUIDES, name), "utf8");
  const folder = await mkdtemp(join(tmpdir(), "afara-guide-"));
  after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "data"));
  await writeFile(join(folder, "data", "test-key"), `${rig.local.key}\n`);

  const blocks = (language: string): string[] =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, block = ""]) => block);
  const [first = "", ...commands] = blocks("sh").filter((command) => !command.startsWith("npm start"));

  return {
    text,
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
