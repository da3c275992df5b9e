import { globSync } from "node:fs";
import { join } from "node:path";
import { makeProblems, type OwnRefusals } from "../http/problems.ts";

const SOURCES = join(import.meta.dirname, "..");

const modules = await Promise.all(
  globSync("*/*.refusals.ts", { cwd: SOURCES }).map(
    (path): Promise<Readonly<Record<string, OwnRefusals>>> => import(join(SOURCES, path)),
  ),
);

/** Every code of the project, by the files that name them: what a gateway with all its parts has. */
export const ALL_PROBLEMS = makeProblems(modules.flatMap((module) => Object.values(module).filter(isRefusals)));

function isRefusals(exported: object): exported is OwnRefusals {
  return "problems" in exported;
}
