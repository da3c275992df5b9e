import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { ChatTemplate, MediaKind, VendorTemplate } from "../ports/chat-payload.ts";
import { LIMITS } from "./limits.ts";

/** One thing that a template leaves open. */
export type Placeholder =
  | { readonly kind: "text"; readonly name: string }
  | { readonly kind: MediaKind | "location" }
  | { readonly kind: "url"; readonly index: number; readonly text: string; readonly url: string };

export type Part = "header" | "body" | "buttons";
export type Placeholders = Readonly<Record<Part, readonly Placeholder[]>>;

/** What is asked to stand there, in order. The header of a picture, film or document: a link, or the id of an upload. */
export type Variables = Readonly<Partial<Record<Part, readonly string[]>>>;

/** A template with its variables; the file of its header is still to be looked at. */
export interface FilledTemplate extends Omit<ChatTemplate, "header"> {
  readonly header?: readonly string[];
  readonly headerFile?: { readonly kind: MediaKind; readonly source: string };
}

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** Numbered ones by number, named ones as they come; each once, as it is given once. */
function textPlaceholders(text: string, isNamed: boolean): readonly { kind: "text"; name: string }[] {
  const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name!))];
  const sorted = isNamed ? names : names.sort((a, b) => Number(a) - Number(b));
  return sorted.map((name) => ({ kind: "text", name }));
}

/** The button of an authentication template takes the code that its body has, so nobody gives it twice. */
const carriesCode = ({ category }: VendorTemplate, kind: string): boolean =>
  category === "authentication" && ["url", "copy_code", "otp"].includes(kind);

export function placeholdersOf(template: VendorTemplate): Placeholders {
  const { header, body, buttons, isNamed } = template;
  return {
    header:
      header === undefined
        ? []
        : header.kind === "text"
          ? textPlaceholders(header.text ?? "", isNamed)
          : [{ kind: header.kind }],
    body: textPlaceholders(body, isNamed),
    buttons: buttons.flatMap(({ index, kind, text, url }) =>
      kind === "url" && url !== undefined && url.search(PLACEHOLDER) !== -1 && !carriesCode(template, kind)
        ? [{ kind: "url" as const, index, text, url }]
        : [],
    ),
  };
}

const PARTS: readonly Part[] = ["header", "body", "buttons"];

const UNKNOWN_PART = (parts: readonly string[]): Fault => ({
  pointer: "/template",
  code: "template_variables_mismatch",
  detail: `The template has what can't be filled in from here: ${parts.join(", ")}. Nothing was accepted. Send one of text, picture, film or document with buttons that reply, call or open a link.`,
});

/** Puts the variables in, or says all that is wrong with them; Meta would refuse each, and charge nothing but time. */
export function fillTemplate(template: VendorTemplate, given: Variables): Result<FilledTemplate, readonly Fault[]> {
  // An unknown part is not an absent one: the vendor would refuse the message for what is missing.
  if (template.unknownParts) return refuse([UNKNOWN_PART(template.unknownParts)]);
  const open = placeholdersOf(template);
  const faults = PARTS.flatMap((part) => countFaults(part, open[part], given[part] ?? []));
  if (open.header.some(({ kind }) => kind === "location")) faults.push(mismatch("/variables/header", NO_LOCATION));
  if (template.category !== "authentication" && template.buttons.some(({ kind }) => kind === "copy_code"))
    faults.push(mismatch("/variables/buttons", NO_COUPON));
  for (const part of PARTS)
    for (const [index, value] of (given[part] ?? []).entries()) {
      const wrong = open[part][index]?.kind === "url" ? linkEndFault(value) : textFault(value);
      if (wrong) faults.push(mismatch(`/variables/${part}/${index}`, wrong));
    }
  if (faults.length > 0) return refuse(faults);

  const { header = [], body = [], buttons = [] } = given;
  faults.push(...lengthFaults(template, open, given));
  if (template.category === "authentication" && lengthOf(body[0] ?? "") > LIMITS.template.code)
    faults.push(mismatch("/variables/body/0", `A one-time code has at most ${LIMITS.template.code} characters.`));
  if (faults.length > 0) return refuse(faults);
  const file = open.header[0];
  const names = { header: namesOf(template, open.header), body: namesOf(template, open.body) };
  const filledButtons = [
    ...open.buttons.flatMap((place, index) =>
      place.kind === "url" ? [{ index: place.index, kind: "url" as const, value: buttons[index]! }] : [],
    ),
    ...codeButtons(template, body),
  ];
  return ok({
    type: "template",
    name: template.name,
    language: template.language,
    ...(header.length > 0 && file?.kind === "text" && { header }),
    ...(file && isFile(file.kind) && { headerFile: { kind: file.kind, source: header[0]! } }),
    ...(body.length > 0 && { body }),
    ...(filledButtons.length > 0 && { buttons: filledButtons }),
    ...(template.isNamed && { names }),
  });
}

const isFile = (kind: string): kind is MediaKind => ["image", "video", "document"].includes(kind);

const namesOf = ({ isNamed }: VendorTemplate, places: readonly Placeholder[]): readonly string[] =>
  isNamed ? places.flatMap((place) => (place.kind === "text" ? [place.name] : [])) : [];

const codeButtons = (template: VendorTemplate, body: readonly string[]) =>
  template.buttons.flatMap(({ index, kind }) =>
    carriesCode(template, kind) && body[0] !== undefined ? [{ index, kind: "url" as const, value: body[0] }] : [],
  );

const mismatch = (pointer: string, detail: string): Fault => ({
  pointer,
  code: "template_variables_mismatch",
  detail,
});

const NO_LOCATION = "The template has a place on the map in its header, which can't be sent from here.";
const NO_COUPON = "The template has a button with a coupon code, which can't be sent from here.";

function countFaults(part: Part, open: readonly Placeholder[], given: readonly string[]): Fault[] {
  if (open.length === given.length) return [];
  const wanted = open.length === 0 ? "no variables" : `${open.length} (${open.map(sayPlace).join(", ")})`;
  const takes = part === "buttons" ? "take" : "takes";
  return [mismatch(`/variables/${part}`, `The template's ${part} ${takes} ${wanted}; ${given.length} came.`)];
}

const sayPlace = (place: Placeholder): string =>
  place.kind === "text"
    ? `{{${place.name}}}`
    : place.kind === "url"
      ? `the end of ${place.url}`
      : `a file: ${place.kind}`;

/** Source: Meta's error 132018, and its page on template parameters. */
function textFault(value: string): string | undefined {
  if (!/\S/.test(value)) return "A variable must not be empty.";
  if (/[\r\n\t]/.test(value)) return "A variable must not have a line break or a tab.";
  if (/ {5}/.test(value)) return "A variable must not have more than four spaces in a row.";
  return undefined;
}

const linkEndFault = (value: string): string | undefined =>
  value === "" || /\s/.test(value) ? "The end of a link must not be empty, nor have spaces in it." : undefined;

function lengthFaults({ header, body, isBodyOnly }: VendorTemplate, open: Placeholders, given: Variables): Fault[] {
  const faults: Fault[] = [];
  const tooLong = (part: Part, length: number, most: number) =>
    faults.push(
      mismatch(`/variables/${part}`, `With its variables the ${part} has ${length} characters; ${most} is the most.`),
    );
  const bodyLength = lengthOf(filled(body, open.body, given.body ?? []));
  const bodyMax = isBodyOnly ? LIMITS.template.onlyBody : LIMITS.template.body;
  if (bodyLength > bodyMax) tooLong("body", bodyLength, bodyMax);
  const headerLength =
    header?.kind === "text" ? lengthOf(filled(header.text ?? "", open.header, given.header ?? [])) : 0;
  if (headerLength > LIMITS.template.header) tooLong("header", headerLength, LIMITS.template.header);
  for (const [index, place] of open.buttons.entries()) {
    const length = place.kind === "url" ? lengthOf(place.url + given.buttons![index]!) : 0;
    if (length > LIMITS.template.url) tooLong("buttons", length, LIMITS.template.url);
  }
  return faults;
}

/** In code points, as the schemas count. */
const lengthOf = (text: string): number => [...text].length;

/** The text as the recipient reads it. */
function filled(text: string, open: readonly Placeholder[], values: readonly string[]): string {
  const byName = new Map(open.map((place, index) => [place.kind === "text" ? place.name : "", values[index] ?? ""]));
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => byName.get(name) ?? whole);
}
