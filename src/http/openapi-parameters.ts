import { pascalCase } from "./openapi-models.ts";
import type { Operation } from "./openapi-operation.ts";

type Parameter = NonNullable<Operation["parameters"]>[number];

/**
 * Puts references in place of the parameters that several operations have, and returns those by name: `After`, `Limit`.
 * Of several with one name the most frequent gets it; a `2` and so on is added for the others.
 */
export function shareParameters(operations: readonly Operation[]): Record<string, Parameter> {
  const all = operations.flatMap(({ parameters = [] }) => parameters).filter(({ $ref }) => $ref === undefined);
  for (const parameter of all) if (parameter.required === false) delete parameter.required; // as it is without
  const repeated = [...Map.groupBy(all, (parameter) => JSON.stringify(parameter))]
    .filter(([, same]) => same.length > 1)
    .sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  const names = new Map<string, string>();
  const shared: Record<string, Parameter> = {};
  for (const [text, [parameter]] of repeated) {
    const base = pascalCase(parameter?.name ?? "");
    let name = base;
    for (let number = 2; name in shared; number++) name = `${base}${number}`;
    names.set(text, name);
    shared[name] = { ...parameter };
  }
  for (const operation of operations)
    operation.parameters = (operation.parameters ?? []).map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  return shared;
}
