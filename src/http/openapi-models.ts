/** A JSON Schema, as far as it is looked into here. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Where the model of this name stands in the document. */
export const modelRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** `insufficient_balance` and `sendSms` → `InsufficientBalance` and `SendSms` */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

interface Model {
  readonly schema: Schema;
  /** What makes it the same model as another: all but description and examples. */
  readonly text: string;
  readonly uses: { $ref: string; description?: unknown }[];
  /** Each different list of examples that a use came with, as JSON. */
  readonly examples: Set<string>;
}

/**
 * The named models of a document. A schema with a `title` is one: it stands once in `components.schemas`, and a
 * reference stands wherever it is used. Fastify knows nothing of this: it validates and serialises by the whole schemas.
 */
export class Models {
  readonly #models = new Map<string, Model>();

  /**
   * The schema with references in place of its models. OpenAPI 3.1 allows a `description` beside a reference, so each
   * use may have its own.
   *
   * @throws when two different schemas have one title, or a title can't be a name.
   */
  take(schema: Schema): Schema {
    const plain = mapInside(asEnum(schema), (inner) => this.take(inner));
    const { title, description, examples, [EXTENDS]: base, ...own } = plain;
    if (typeof title !== "string") return plain;
    const rest = isSchema(base) ? this.#extending(base, own) : own;
    if (!MODEL_NAME.test(title)) throw new Error(`"${title}" can't be the name of a model`);
    const text = JSON.stringify(rest);
    const known = this.#models.get(title) ?? { schema: rest, text, uses: [], examples: new Set() };
    if (known.text !== text) throw new Error(`two schemas are called ${title}: ${known.text} and ${text}`);
    this.#models.set(title, known);
    const use = { ...modelRef(title), ...(description !== undefined && { description }) };
    known.uses.push(use);
    if (examples !== undefined) known.examples.add(JSON.stringify(examples));
    return use;
  }

  /** What the model has besides its base, which it refers to. */
  #extending(base: Schema, { properties, required, ...rest }: Schema): Schema {
    const isOwn = (name: string): boolean => !Object.hasOwn(base.properties as object, name);
    const own = {
      ...rest,
      required: (required as string[]).filter(isOwn),
      properties: Object.fromEntries(Object.entries(properties as object).filter(([name]) => isOwn(name))),
    };
    return { allOf: [this.take(base), own] };
  }

  /** All models, by name, with the description and the examples that all uses agree on. To be called once, at the end. */
  all(): Record<string, Schema> {
    const byName = [...this.#models].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(byName.map(([name, model]) => [name, described(model)]));
  }
}

/** Keyword of a model that has all properties of another: that other schema. */
export const EXTENDS = "x-extends";

const MODEL_NAME = /^[A-Z][A-Za-z0-9]*$/;

function described({ schema, uses, examples }: Model): Schema {
  const [description, ...others] = new Set(uses.map((use) => use.description));
  const isShared = others.length === 0 && description !== undefined;
  if (isShared) for (const use of uses) delete use.description;
  const [example, ...otherExamples] = examples;
  return {
    ...(isShared && { description }),
    ...schema,
    ...(example !== undefined && otherExamples.length === 0 && { examples: JSON.parse(example) }),
  };
}

/** Choices between single words are one `enum`: readers make one type of it, and of `anyOf` a type for each word. */
function asEnum(schema: Schema): Schema {
  const { const: only, anyOf, ...rest } = schema;
  if (only !== undefined) return { ...rest, enum: [only] };
  if (!Array.isArray(anyOf)) return schema;
  const words = anyOf.flatMap((choice: Schema) => wordsOf(choice) ?? [undefined]);
  return words.includes(undefined) ? schema : { type: "string", enum: words, ...rest };
}

function wordsOf(schema: Schema): readonly unknown[] | undefined {
  const { type, const: only, enum: words, ...rest } = schema;
  if (type !== "string" || Object.keys(rest).length > 0) return undefined;
  return only === undefined ? (words as unknown[] | undefined) : [only];
}

const ONE = new Set(["items", "additionalProperties", "propertyNames", "not"]);
const MANY = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const NAMED = new Set(["properties", "patternProperties"]);

/** The schema with each schema directly in it changed. */
export function mapInside(schema: Schema, change: (inner: Schema) => Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (ONE.has(keyword) && isSchema(value)) return [keyword, change(value)];
      if (MANY.has(keyword) && Array.isArray(value)) return [keyword, value.map(change)];
      if (NAMED.has(keyword) && isSchema(value))
        return [
          keyword,
          Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner as Schema)])),
        ];
      return [keyword, value];
    }),
  );
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;
