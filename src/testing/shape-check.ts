import { CHARGES } from "../kernel/charge.ts";

/**
 * What in an OpenAPI document of ours breaks the shapes that all answers share, by place: money is `{amount, currency}`, a price
 * with `tax`; answers and items of lists have `object`; bounds are `minimum_amount` and `maximum_amount`; one word for each fact.
 * Requests are not looked at.
 */
export function shapeFaults(document: unknown): string[] {
  const root = asRecord(document);
  const faults: string[] = [];
  for (const [path, item] of Object.entries(asRecord(root.paths)))
    for (const [method, operation] of Object.entries(asRecord(item)))
      for (const [status, response] of Object.entries(asRecord(asRecord(operation).responses)))
        for (const [type, media] of Object.entries(asRecord(asRecord(response).content))) {
          if (!/json$/.test(type)) continue;
          const at = `${method.toUpperCase()} ${path} ${status}`;
          const { schema, examples } = asRecord(media);
          if (status.startsWith("2")) faults.push(...objectFaults(root, schema).map((fault) => `${at}: ${fault}`));
          faults.push(...schemaFaults(root, schema, at));
          for (const example of Object.values(asRecord(examples)))
            faults.push(...valueFaults(resolved(root, example).value, `${at}, an example`));
        }
  for (const [code, { value }] of Object.entries(asRecord(asRecord(root.components).examples)).map(
    ([name, example]) => [name, asRecord(example)] as const,
  ))
    faults.push(...valueFaults(value, `the example of ${code}`));
  return [...new Set(faults)];
}

type Json = Readonly<Record<string, unknown>>;

const asRecord = (value: unknown): Json => (typeof value === "object" && value !== null ? { ...value } : {});

/** The schema behind its references. */
function resolved(root: Json, value: unknown): Json {
  const { $ref } = asRecord(value);
  if (typeof $ref !== "string") return asRecord(value);
  const steps = $ref.split("/").slice(1);
  return resolved(
    root,
    steps.reduce<unknown>((at, step) => asRecord(at)[step], root),
  );
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects that a schema may be, its alternatives apart. */
function objectsOf(root: Json, schema: unknown): readonly Json[] {
  const own = resolved(root, schema);
  const alternatives = [...listed(own.anyOf), ...listed(own.oneOf)].flatMap((part) => objectsOf(root, part));
  const parts = [own, ...listed(own.allOf).flatMap((part) => objectsOf(root, part))];
  const whole: Json = {
    properties: Object.assign({}, ...parts.map(({ properties }) => asRecord(properties))),
    required: parts.flatMap(({ required }) => listed(required)),
  };
  return parts.some(({ properties }) => properties) ? [whole, ...alternatives] : alternatives;
}

function objectFaults(root: Json, schema: unknown): string[] {
  const bodies = objectsOf(root, schema);
  if (bodies.length === 0) return ["is no object"];
  return bodies.flatMap((body) => {
    const { object, data } = asRecord(body.properties);
    const items = !LISTS.includes(wordOf(resolved(root, object))) ? [] : objectsOf(root, resolved(root, data).items);
    return [
      ...(isNamed(body, resolved(root, object)) ? [] : ["has no object"]),
      ...items
        .filter((item) => !isNamed(item, resolved(root, asRecord(item.properties).object)))
        .map(() => "an item of its list has no object"),
    ];
  });
}

/** Whose `data` are items. */
const LISTS: readonly unknown[] = ["list", "usage"];

/** The word that a schema stands for, if it is one alone. */
const wordOf = ({ const: word, enum: words }: Json): unknown => word ?? (Array.isArray(words) ? words[0] : undefined);

/** `object` is required, and one word or a choice of words. */
const isNamed = (body: Json, object: Json): boolean =>
  Array.isArray(body.required) &&
  body.required.includes("object") &&
  (typeof object.const === "string" || Array.isArray(object.enum));

/** Names that say what is said otherwise. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  minimum: "minimum_amount",
  maximum: "maximum_amount",
  min_amount: "minimum_amount",
  max_amount: "maximum_amount",
  taken: "charged",
  currency_code: "currency",
};
/** Names of money, and what besides money may go by them. */
const MONEY_NAMES =
  /^(?:amount|price|fee|balance|held|charged|returned|refunded|paid|discount|total|arrears|energy|vat|cost)$|_(?:amount|price|fee|change|after)$/;
const NO_MONEY = ["created_after", "not_before"];

function schemaFaults(root: Json, schema: unknown, at: string, seen: readonly unknown[] = []): string[] {
  const own = resolved(root, schema);
  const identity = asRecord(schema).$ref ?? schema;
  if (seen.includes(identity)) return [];
  const within = [...seen, identity];
  const properties = asRecord(own.properties);
  const isMoney = "amount" in properties && "currency" in properties;
  const faults = Object.entries(properties).flatMap(([name, property]) => {
    const place = `${at}.${name}`;
    const member = resolved(root, property);
    const words = Array.isArray(member.enum) ? member.enum : [];
    return [
      ...(OTHER_NAMES[name] === undefined ? [] : [`${place} is called ${OTHER_NAMES[name]}`]),
      ...(isMoney && (name === "amount" || name === "tax") ? [] : moneyFault(root, name, member, place)),
      ...(name === "charge" && words.some((word) => !(CHARGES as readonly unknown[]).includes(word))
        ? [`${place} has words of its own: ${words.join(", ")}`]
        : []),
      ...(name === "receipt_number" && wordOf(resolved(root, properties.object)) !== "receipt"
        ? [`${place} is no number of our receipt`]
        : []),
      ...(words.includes("taken") ? [`${place} says taken`] : []),
      ...schemaFaults(root, property, place, within),
    ];
  });
  return [
    ...faults,
    ...[own.items, own.additionalProperties, ...listed(own.allOf), ...listed(own.anyOf), ...listed(own.oneOf)].flatMap(
      (part) => schemaFaults(root, part, at, within),
    ),
  ];
}

function moneyFault(root: Json, name: string, member: Json, place: string): string[] {
  const isText = member.type === "string" && typeof member.const !== "string";
  const isNaira =
    isText && (/\\\.\\d\{2\}/.test(String(member.pattern)) || /\bnaira\b/.test(String(member.description)));
  const isCalledMoney = MONEY_NAMES.test(name) && !NO_MONEY.includes(name);
  const isNumber = isText || member.type === "number" || (member.type === "integer" && isCalledMoney);
  if (isNaira || (isCalledMoney && isNumber)) return [`${place} is money that is not {amount, currency}`];
  const { properties, required } = objectsOf(root, member)[0] ?? {};
  if (name === "price" && properties && !("tax" in asRecord(properties)))
    return [`${place} is a price without its tax`];
  return isCalledMoney && properties && asRecord(properties).amount && !(required as string[])?.includes("currency")
    ? [`${place} is money without its currency`]
    : [];
}

/** The same of values, which no schema says all of: problems have members of their own. */
function valueFaults(value: unknown, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => valueFaults(item, at));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const place = `${at}.${name}`;
    const isOfMoney = "currency" in value && (name === "amount" || name === "tax");
    return [
      ...(typeof member === "string" && /^-?\d+\.\d{2}$/.test(member) && !isOfMoney
        ? [`${place} is money that is not {amount, currency}`]
        : []),
      ...(OTHER_NAMES[name] === undefined ? [] : [`${place} is called ${OTHER_NAMES[name]}`]),
      ...(name === "charge" && !(CHARGES as readonly unknown[]).includes(member) ? [`${place} is ${member}`] : []),
      ...valueFaults(member, place),
    ];
  });
}
