/** The path from a configuration's root to a fault: `["routes", 0, "provider"]`. */
export type Path = readonly (string | number)[];

/** A configuration's fault and its remedy. */
export interface PlacedFault {
  readonly path: Path;
  readonly detail: string;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The path in code notation: `routes[0].provider`. */
export const placeText = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );

/** In the order in which a reader of the file meets them; what is missing comes last in what lacks it. */
export function inOrder(faults: readonly PlacedFault[], config: unknown): readonly PlacedFault[] {
  const keyed = faults.map((fault) => ({ fault, at: positions(config, fault.path) }));
  return keyed.sort((a, b) => compare(a.at, b.at)).map(({ fault }) => fault);
}

function positions(config: unknown, path: Path): readonly number[] {
  let node = config;
  return path.map((step) => {
    const index = Array.isArray(node) ? Number(step) : isObject(node) ? Object.keys(node).indexOf(String(step)) : -1;
    node = (node as Readonly<Record<string | number, unknown>> | undefined)?.[step];
    return index < 0 ? Number.MAX_SAFE_INTEGER : index;
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((index, step) => index !== b[step]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}
