import { parseJson } from "./json.ts";
import { readMultipart } from "./multipart.ts";

/**
 * A body as vendors read it: JSON, whatever the content-type says (curl sends `-d` as a form), else the fields of a form, with files
 * left out. A form's values are texts; `metadata[cart]` is a member of `metadata`, `channels[]` an item of `channels`. Undefined when it is neither.
 */
export function readBody(contentType: string, bytes: Buffer): unknown {
  const type = contentType.toLowerCase();
  if (type.startsWith("multipart/form-data")) {
    const fields = readMultipart(contentType, bytes)?.filter(({ filename }) => filename === undefined);
    return fields && nested(fields.map(({ name, bytes: value }) => [name, value.toString("utf8")]));
  }
  const text = bytes.toString("utf8");
  const json = parseJson(text);
  if (json !== undefined || !type.startsWith("application/x-www-form-urlencoded")) return json;
  return text === "" ? undefined : nested([...new URLSearchParams(text)]);
}

interface Nested {
  [name: string]: string | Nested;
}

function nested(fields: readonly (readonly [name: string, value: string])[]): unknown {
  const root = empty();
  for (const [name, value] of fields) {
    const [, first = name, rest = ""] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(name) ?? [];
    const path = [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, part = ""]) => part)];
    put(root, path, value);
  }
  return inLists(root);
}

const empty = (): Nested => Object.create(null) as Nested;

function put(object: Nested, [name = "", ...rest]: readonly string[], value: string): void {
  const key = name === "" ? String(Object.keys(object).length) : name;
  if (rest.length === 0) {
    object[key] = value;
    return;
  }
  const known = object[key];
  const inner = typeof known === "object" ? known : empty();
  object[key] = inner;
  put(inner, rest, value);
}

/** What is numbered from 0 on is a list. */
function inLists(value: string | Nested): unknown {
  if (typeof value === "string") return value;
  const entries = Object.entries(value);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList
    ? entries.map(([, item]) => inLists(item))
    : Object.fromEntries(entries.map(([name, item]) => [name, inLists(item)]));
}
