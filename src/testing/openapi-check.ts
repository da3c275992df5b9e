import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/**
 * Everything that is wrong with an OpenAPI 3.1 document of ours, by operation. Empty when a reader would miss nothing.
 */
export function openApiFaults(document: unknown): string[] {
  const root = asRecord(document);
  const faults = unresolvedRefs(root, root).map((ref) => `${ref} leads nowhere`);
  if (root.openapi !== "3.1.0") faults.push(`openapi is ${String(root.openapi)}, not 3.1.0`);
  faults.push(...schemaFaults(root));
  const ids = new Set<unknown>();
  const described = new Set(asList(root.tags).map((tag) => asRecord(tag).description && asRecord(tag).name));
  for (const [path, item] of Object.entries(asRecord(root.paths))) {
    for (const [method, value] of Object.entries(asRecord(item))) {
      const operation = asRecord(value);
      const at = `${method.toUpperCase()} ${path}`;
      for (const field of ["operationId", "summary", "description", "tags", "responses", "x-idempotency"]) {
        if (operation[field] === undefined) faults.push(`${at} has no ${field}`);
      }
      if ((operation.security ?? root.security) === undefined) faults.push(`${at} has no security`);
      for (const tag of asList(operation.tags)) {
        if (!described.has(tag)) faults.push(`${at} has the tag ${String(tag)}, which nothing describes`);
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
    for (const [mediaType, media] of Object.entries(asRecord(resolved(root, asRecord(body)).content))) {
      const { schema, examples } = asRecord(media);
      if (mediaType.endsWith("json") && !isNamed(schema)) faults.push(`${name} has no named model`);
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

/** A reference, or a choice between references. */
const isNamed = (schema: unknown): boolean => {
  const { $ref, oneOf } = asRecord(schema);
  return $ref !== undefined || (Array.isArray(oneOf) && oneOf.every(isNamed));
};

/**
 * What makes generators stumble, by the bugs that theirs have been reported with: an object or a list of words that is
 * written out more than once becomes a type for each place; of a `title` beside `properties` some make a second name;
 * `const`, `nullable`, `type` as a list and `discriminator` are each read wrongly by one of them.
 */
function schemaFaults(root: Json): string[] {
  const places = new Map<string, string[]>();
  const faults: string[] = [];
  const visit = (value: unknown, at: string): void => {
    const schema = asRecord(value);
    const { required, properties, enum: words, type, description: _, ...rest } = schema;
    for (const keyword of ["title", "const", "nullable", "discriminator"])
      if (schema[keyword] !== undefined) faults.push(`${at} has ${keyword}`);
    if (Array.isArray(type) && type.includes("null")) faults.push(`${at} has null among its types`);
    for (const name of asList(required))
      if (!(String(name) in asRecord(properties)))
        faults.push(`${at} requires ${String(name)}, which it does not have`);
    if (Array.isArray(words) ? words.length > 1 : Object.keys(asRecord(properties)).length > 1) {
      const text = JSON.stringify([type, words, properties, rest]);
      places.set(text, [...(places.get(text) ?? []), at]);
    }
    for (const [name, inner] of Object.entries(asRecord(properties))) visit(inner, `${at}.${name}`);
    for (const keyword of ["items", "additionalProperties"])
      if (typeof schema[keyword] === "object") visit(schema[keyword], `${at} ${keyword}`);
    for (const keyword of ["anyOf", "oneOf", "allOf"])
      for (const inner of asList(schema[keyword])) visit(inner, `${at} ${keyword}`);
  };
  for (const [name, schema] of Object.entries(asRecord(asRecord(root.components).schemas))) visit(schema, name);
  for (const [path, item] of Object.entries(asRecord(root.paths)))
    for (const [method, operation] of Object.entries(asRecord(item)))
      for (const parameter of asList(asRecord(operation).parameters))
        visit(asRecord(parameter).schema, `${method.toUpperCase()} ${path} ${String(asRecord(parameter).name)}`);
  const repeated = [...places.values()].filter((same) => same.length > 1);
  return [...faults, ...repeated.map((same) => `one model without a name: ${same.join(", ")}`)];
}

/**
 * Says what is wrong with values of the schema, a field that it does not name included. Compiled once: a refusal has one
 * schema and an example for each of its codes.
 */
function mismatchFor(root: Json, schema: Json): (value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false, formats: { "date-time": true, binary: true } });
  let isFitting: ValidateFunction | undefined;
  return (value) => {
    isFitting ??= ajv.compile({ ...schema, unevaluatedProperties: false, components: root.components });
    return isFitting(value) ? undefined : ajv.errorsText(isFitting.errors);
  };
}

type Json = Readonly<Record<string, unknown>>;

const asRecord = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {});

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

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
