import Type from "typebox";
import { isObject, placeText } from "../kernel/place.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { faultsOfShape } from "../kernel/schema-faults.ts";

/** An adapter's settings: an object without other fields. What has a `default` is optional. */
export const settings = <Properties extends Type.TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/**
 * The settings with their defaults, or every fault with what to write instead, beginning with its setting. No fault repeats a text: it
 * may be a secret.
 */
export function readShape<Properties extends Type.TProperties>(
  schema: Type.TObject<Properties>,
  input: unknown,
): Result<Required<Type.Static<Type.TObject<Properties>>>, readonly string[]> {
  if (!isObject(input)) return refuse(["the settings must be an object"]);
  // A variable that is not set in the environment.
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const faults = faultsOfShape(schema, given, [], true).map(({ path, detail }) => `${placeText(path)} ${detail}`);
  if (faults.length > 0) return refuse(faults);
  const defaults = Object.entries(schema.properties).flatMap(([key, part]) =>
    "default" in part ? [[key, part.default] as const] : [],
  );
  return ok({ ...Object.fromEntries(defaults), ...given } as Required<Type.Static<Type.TObject<Properties>>>);
}

/** A text that goes into a header. `what`: where the operator finds it. */
export const headerText = (what: string, maxLength = 200) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: "^[\\x21-\\x7e]*$",
    description: `${what}: printable ASCII without spaces, ${maxLength} characters at most`,
  });

/** Any text. */
export const anyText = (what: string, maxLength = 200) =>
  Type.String({ minLength: 1, maxLength, description: `${what}: ${maxLength} characters at most` });

export const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  Type.Optional(Type.Integer({ minimum, maximum, default: fallback }));

/** For a whole call, until its last byte. */
export const responseTimeoutMs = (fallback: number) => wholeNumber(100, 300_000, fallback);

/** The vendor's address; `withoutSlash` cuts what may be written behind it. Without a fallback it is only optional. */
export const baseUrl = (fallback?: string) =>
  Type.Optional(
    Type.Refine(
      Type.String({
        description: "a URL with https (http only for 127.0.0.1 or localhost), without query",
        ...(fallback !== undefined && { default: fallback }),
      }),
      isBaseUrl,
    ),
  );

export const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

/** https, or http on this machine alone: the secret goes there. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  return (protocol === "https:" || (protocol === "http:" && isHere)) && !search && !hash && !username;
}
