/** A call of an SQL function with values computed from `Input`. */
export interface NamedCall<Input> {
  /** `name(p_a => $1, p_b => $2)`: always the same text, so that a statement with it stays prepared. */
  readonly text: string;
  /** Computes each value, in the order of the placeholders. */
  readonly makers: readonly ((input: Input) => unknown)[];
  readonly values: (input: Input) => unknown[];
  /** A parameter's placeholder, for reuse in the same statement. */
  readonly placeholder: (parameter: string) => string;
}

/**
 * Calls an SQL function by the names of its parameters. A parameter is given as a maker of its value, or as an SQL expression.
 * Make it once, beside the statement. `first`: the number of its first placeholder, where a statement has others before.
 */
export function callByName<Input>(
  name: string,
  parameters: Readonly<Record<string, string | ((input: Input) => unknown)>>,
  first = 1,
): NamedCall<Input> {
  const makers: ((input: Input) => unknown)[] = [];
  const places = new Map<string, string>();
  const given = Object.entries(parameters).map(([parameter, value]) => {
    if (typeof value === "string") return `${parameter} => ${value}`;
    const place = `$${first + makers.length}`;
    makers.push(value);
    places.set(parameter, place);
    return `${parameter} => ${place}`;
  });
  return {
    text: `${name}(${given.join(", ")})`,
    makers,
    values: (input) => makers.map((make) => make(input)),
    placeholder(parameter) {
      const place = places.get(parameter);
      if (place === undefined) throw new Error(`${name} has no value for ${parameter}`);
      return place;
    },
  };
}
