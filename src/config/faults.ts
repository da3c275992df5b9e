import { faultsOfSettings } from "../app/vendors.ts";
import { inOrder, isObject, type Path, type PlacedFault } from "../kernel/place.ts";
import { faultsOfShape } from "../kernel/schema-faults.ts";
import type { Environment } from "./environment.ts";
import { type AdapterNames, faultsOfNames } from "./names.ts";
import { ConfigFile } from "./operator-file.ts";

interface Surroundings {
  readonly environment: Environment;
  readonly adapters: readonly AdapterNames[];
  /** The gateway's own port. */
  readonly port: number;
  /** Faults of files that the configuration names. */
  readonly found?: readonly PlacedFault[];
}

interface Written {
  readonly value: unknown;
  /** The file's text, which shows the variables that it reads. */
  readonly source: string;
}

/**
 * Every fault of a configuration, in the order of the file: wrong shapes, contradictions with the rest, and each adapter's faults of
 * its settings. None of them hides another.
 */
export function faultsOfFile({ value, source }: Written, { environment, adapters, port, found = [] }: Surroundings) {
  const faults = [
    ...faultsOfShape(ConfigFile, value),
    ...faultsOfNames(value, adapters, port),
    ...(isObject(value) ? faultsOfSettings(value) : []),
    ...found,
  ];
  return inOrder(faults, value).map((fault) => withVariable(fault, value, source, environment));
}

/** Where a value is missing because the file reads an unset variable, names that variable. */
function withVariable(fault: PlacedFault, value: unknown, source: string, environment: Environment): PlacedFault {
  const there = valueAt(value, fault.path);
  if (there !== undefined && there !== "") return fault;
  const name = variableAt(source, fault.path, environment);
  return name === undefined
    ? fault
    : {
        ...fault,
        detail: `${fault.detail.replace(/\.?$/, ".")} ${name}, which it is read from, is ${environment[name] === "" ? "empty" : "not set"} in the environment.`,
      };
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((node, step) => (node as Readonly<Record<string | number, unknown>> | undefined)?.[step], value);

/** `secretKey: process.env.PAYSTACK_SECRET_KEY`, in what the file says behind the names that lead there. */
function variableAt(source: string, path: Path, environment: Environment): string | undefined {
  const from = path.slice(0, -1).reduce<number>((at, step) => {
    const next = source.slice(at).search(new RegExp(`["']?\\b${escaped(String(step))}\\b["']?\\s*:`));
    return next < 0 ? at : at + next;
  }, 0);
  const reads = new RegExp(
    `["']?\\b${escaped(String(path.at(-1)))}\\b["']?\\s*:[^,\\n]*?\\bprocess\\.env(?:\\.(\\w+)|\\[["'](\\w+)["']\\])`,
  );
  const [, name, quoted] = reads.exec(source.slice(from)) ?? [];
  const variable = name ?? quoted;
  return variable !== undefined && !environment[variable] ? variable : undefined;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
