/** What of an OpenAPI document the reference reads. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response | Ref>>;
  readonly "x-scope"?: string;
  readonly "x-idempotency"?: "required" | "optional" | "none";
  readonly "x-rate-limit-policy"?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Header {
  readonly description?: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Ref>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example | Ref>>;
}

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface Ref {
  readonly $ref: string;
}

/** JSON Schema 2020-12, the keywords that our models use. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly contentMediaType?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** An operation with its place. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const endpointsOf = ({ paths }: OpenApi): readonly Endpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** What a reference within the document names; what is no reference is itself. */
export function resolved<Kind extends object>(document: OpenApi, value: Kind | Ref): Kind {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as Kind;
  let at: unknown = document;
  for (const step of value.$ref.replace(/^#\//, "").split("/"))
    at = (at as Record<string, unknown>)[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  if (typeof at !== "object" || at === null) throw new Error(`${value.$ref} is not in the document`);
  return resolved(document, at as Kind | Ref);
}

/** `#/components/schemas/Money` → `Money` */
export const modelOf = ({ $ref }: { readonly $ref?: string }): string | undefined => $ref?.split("/").at(-1);

/** The parameters of an operation that stand in this place. */
export const parametersIn = (
  document: OpenApi,
  { parameters = [] }: Operation,
  place: Parameter["in"],
): readonly Parameter[] =>
  parameters.map((parameter) => resolved<Parameter>(document, parameter)).filter((each) => each.in === place);

/** The anchor of a group's page: `Airtime and data` → `airtime-and-data` */
export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
