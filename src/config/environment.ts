import { readFileSync } from "node:fs";
import { meant } from "../kernel/schema-words.ts";
import { editDistance, nearest } from "../kernel/spelling.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables by name, each with `NAME_FILE` beside it, and keeps what is wrong with them. */
export interface EnvironmentReader {
  readonly faults: string[];
  /** Variables that are set to nothing, where that is no fault. */
  readonly empty: string[];
  text(name: string): string | undefined;
  choice<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value;
  /** A whole number, written in digits alone. */
  whole(
    name: string,
    rule: { readonly min: number; readonly max: number; readonly fallback: number; readonly what: string },
  ): number;
  /** Variables that nobody asked for and that look misspelt. `source`: the configuration file's text, which may read its own. */
  slips(source: string): readonly string[];
}

/** `isStrict`: an empty variable is a fault. Elsewhere it counts as not set, as shells and Compose files leave it behind. */
export function readEnvironment(environment: Environment, isStrict: boolean): EnvironmentReader {
  const faults: string[] = [];
  const empty: string[] = [];
  const read = new Map<string, string | undefined>();

  function look(name: string): string | undefined {
    const [direct, file] = [environment[name], environment[`${name}_FILE`]];
    if (direct && file) faults.push(`${name}: both ${name} and ${name}_FILE are set; keep the one that counts`);
    for (const blank of [name, `${name}_FILE`].filter((one) => environment[one] === ""))
      if (isStrict) faults.push(`${blank}: is set to nothing; give it a value, or take it out of the environment`);
      else empty.push(`${blank}: is set to nothing, which counts as not set`);
    return direct || fromFile(name, file);
  }

  /** `NAME_FILE` names a file that holds the value: how orchestrators hand over secrets. */
  function fromFile(name: string, path: string | undefined): string | undefined {
    if (!path) return undefined;
    try {
      const value = readFileSync(path, "utf8").trim();
      if (value === "") faults.push(`${name}_FILE: ${path} is empty; it must hold the value of ${name}`);
      return value || undefined;
    } catch (error) {
      faults.push(
        `${name}_FILE: ${path} ${WHY_NOT[(error as NodeJS.ErrnoException).code ?? ""] ?? (error as Error).message}`,
      );
      return undefined;
    }
  }

  const text = (name: string): string | undefined => {
    if (!read.has(name)) read.set(name, look(name));
    return read.get(name);
  };

  return {
    faults,
    empty,
    text,
    choice(name, values, fallback) {
      const value = text(name) ?? fallback;
      const choice = values.find((one) => one === value);
      if (choice === undefined)
        faults.push(`${name}: "${value}" is not one of ${values.join(", ")}.${suggestion(value, values)}`);
      return choice ?? fallback;
    },
    whole(name, { min, max, fallback, what }) {
      const given = text(name);
      if (given === undefined) return fallback;
      const value = /^\d+$/.test(given.trim()) ? Number(given) : Number.NaN;
      if (value >= min && value <= max) return value;
      faults.push(`${name}: "${given}" is not ${what} (${min} to ${max})`);
      return fallback;
    },
    slips: (source) =>
      slipsIn(
        environment,
        [...read.keys()].flatMap((name) => [name, `${name}_FILE`]),
        source,
      ),
  };
}

const WHY_NOT: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "can't be read by this user",
  EPERM: "can't be read by this user",
  EISDIR: "is a folder",
};

function suggestion(value: string, values: readonly string[]): string {
  // `prod` is how many write it.
  const begun = values.filter((one) => value.length >= 3 && one.startsWith(value.toLowerCase()));
  if (begun.length === 1) return ` Did you mean "${begun[0]}"?`;
  return nearest(value, values).length > 0 ? ` ${meant(value, values)}` : "";
}

/** Of names that other programs use too, so few letters may be wrong. */
const FOREIGN_STEPS_MAX = 2;

/** `AFARA_PROT=3` would otherwise be taken in silence. */
function slipsIn(environment: Environment, known: readonly string[], source: string): readonly string[] {
  const foreign = known.filter((name) => !name.startsWith("AFARA_"));
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && !source.includes(name))
    .flatMap((name) => {
      if (/^afara_/i.test(name)) {
        const bare = name.toUpperCase().replace(/^AFARA_/, "");
        const [near] = foreign.includes(bare) ? [bare] : nearest(name, known);
        const did = near === undefined ? "" : `; did you mean ${near}?`;
        return [`${name}: Afara itself reads no variable of this name${did}`];
      }
      const near = foreign.find((one) => editDistance(name.toUpperCase(), one) <= FOREIGN_STEPS_MAX);
      return near === undefined ? [] : [`${name}: Afara reads no variable of this name; did you mean ${near}?`];
    });
}
