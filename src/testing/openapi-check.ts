import { Ajv, type ValidateFunction } from "ajv";

/**
 * Everything that is wrong with an OpenAPI 3.1 document of ours, by operation. Empty when a reader would miss nothing.
 */
export function openApiFaults(document: unknown): string[] {
  const root = asRecord(document);
  const faults = unresolvedRefs(root, root).map((ref) => `${ref} leads nowhere`);
  if (root.openapi !== "3.1.0") faults.push(`openapi is ${String(root.openapi)}, not 3.1.0`);
  const ids = new Set<unknown>();
  for (const [path, item] of Object.entries(asRecord(root.paths))) {
    for (const [method, value] of Object.entries(asRecord(item))) {
      const operation = asRecord(value);
      const at = `${method.toUpperCase()} ${path}`;
      for (const field of ["operationId", "summary", "description", "tags", "security", "responses", "x-idempotency"]) {
        if (operation[field] === undefined) faults.push(`${at} has no ${field}`);
      }
      if (ids.has(operation.operationId)) faults.push(`${at} repeats the operationId ${String(operation.operationId)}`);
      ids.add(operation.operationId);
      faults.push(...exampleFaults(root, operation).map((fault) => `${at}: ${fault}`));
    }
  }
  return faults;
}

function exampleFaults(root: Json, operation: Json): string[] {
  const faults: string[] = [];
  const bodies = { "the request": asRecord(operation.requestBody), ...asRecord(operation.responses) };
  for (const [name, body] of Object.entries(bodies)) {
    for (const media of Object.values(asRecord(asRecord(body).content))) {
      const { schema, examples } = asRecord(media);
      const values = Object.values(asRecord(examples)).map((example) => resolved(root, asRecord(example)).value);
      if (values.length === 0) faults.push(`${name} has no example`);
      const mismatch = mismatchFor(root, asRecord(schema));
      for (const value of values) {
        const wrong = mismatch(value);
        if (wrong) faults.push(`an example of ${name} does not fit its schema: ${wrong}`);
      }
    }
  }
  const statuses = Object.keys(asRecord(operation.responses));
  if (!statuses.some((status) => status.startsWith("2"))) faults.push("no success is described");
  for (const status of ["400", "500"]) if (!statuses.includes(status)) faults.push(`${status} is not described`);
  return faults;
}

/** Says what is wrong with values of the schema. Compiled once: a refusal has one schema and an example for each of its codes. */
function mismatchFor(root: Json, schema: Json): (value: unknown) => string | undefined {
  const ajv = new Ajv({ strict: false, formats: { "date-time": true } });
  let isFitting: ValidateFunction | undefined;
  return (value) => {
    isFitting ??= ajv.compile({ ...schema, components: root.components });
    return isFitting(value) ? undefined : ajv.errorsText(isFitting.errors);
  };
}

type Json = Readonly<Record<string, unknown>>;

const asRecord = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {});

const resolved = (root: Json, value: Json): Json =>
  typeof value.$ref === "string" ? asRecord(target(root, value.$ref)) : value;

/** What a local reference like `#/components/schemas/Problem` leads to. */
const target = (root: Json, ref: string): unknown =>
  ref
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => asRecord(value)[step.replaceAll("~1", "/").replaceAll("~0", "~")], root);

function unresolvedRefs(root: Json, value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === "$ref" && typeof member === "string") return target(root, member) === undefined ? [member] : [];
    return unresolvedRefs(root, member);
  });
}
