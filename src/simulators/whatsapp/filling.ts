import { missingPart } from "./parts.ts";
import { type Fault, fault, isMediaKind, listIn, mediaIn, part, type Screen } from "./rendering.ts";
import type { Component, Template } from "./templates.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A template with its variables filled in, or what Meta says of them. Source: Meta, “Error codes”, 132000 to 132018. */
export function fill(template: Template, given: unknown, hasMedia: (id: string) => boolean): Screen | Fault {
  if (template.status === "PAUSED") return fault(132015, "The template is paused due to low quality");
  if (template.status === "DISABLED") return fault(132016, "The template has been disabled");
  if (template.status !== "APPROVED")
    return fault(132001, `template name (${template.name}) does not exist in ${template.language}`);
  const components = listIn(given);
  const missing = missingPart(template.components, components);
  if (missing) return missing;
  const of = (type: string) => template.components.find((component) => component.type === type);
  const parametersOf = (type: string) =>
    listIn(components.find((component) => String(component.type).toLowerCase() === type)?.parameters);

  const header = of("HEADER");
  const media = header && mediaOf(header, parametersOf("header"), hasMedia);
  if (media && "code" in media) return media;
  const isTextHeader = !media && (header?.format ?? "TEXT").toUpperCase() === "TEXT";
  const title = filled("header", isTextHeader ? header : undefined, parametersOf("header"), template);
  if (typeof title === "object") return title;
  const text = filled("body", of("BODY"), parametersOf("body"), template);
  if (typeof text === "object") return text;
  const isBodyOnly = template.components.every(({ type }) => type === "BODY");
  if (text.length > (isBodyOnly ? 32_768 : 1_024)) return fault(132005, "body: the text is too long");
  const choices = buttons(of("BUTTONS")?.buttons ?? [], components);
  if ("code" in choices) return choices;
  const footer = of("FOOTER")?.text;
  return {
    text,
    choices,
    template: { name: template.name, language: template.language },
    ...(media && { media }),
    ...(title !== "" && { header: title }),
    ...(footer !== undefined && { footer }),
  };
}

/** Undefined: the header has no file. */
function mediaOf(header: Component, [first]: readonly Fields[], hasMedia: (id: string) => boolean) {
  const kind = header.format?.toLowerCase() ?? "text";
  if (!isMediaKind(kind)) return undefined;
  if (first?.type !== kind)
    return fault(
      132012,
      `header: Format mismatch, expected ${header.format}, received ${String(first?.type ?? "UNKNOWN").toUpperCase()}`,
    );
  return mediaIn(kind, first[kind], hasMedia);
}

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

function filled(
  where: string,
  component: Component | undefined,
  given: readonly Fields[],
  template: Template,
): string | Fault {
  if (!component) return "";
  const text = component.text ?? "";
  const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
  if (given.length !== names.length)
    return fault(
      132000,
      `${where}: number of localizable_params (${given.length}) does not match the expected number of params (${names.length})`,
    );
  const isNamed = template.parameter_format === "NAMED";
  const values = new Map<string, string>();
  for (const [index, parameter] of given.entries()) {
    const { type, text: value, parameter_name: name } = parameter;
    if (isNamed !== (typeof name === "string"))
      return fault(132018, `${where}: the template is ${template.parameter_format}, its parameters are not`);
    if (type !== "text" || typeof value !== "string" || value === "")
      return fault(132012, `${where}: a text parameter is expected at ${index}`);
    if (/[\n\t]| {5,}/.test(value))
      return fault(132018, "Param text cannot have new-line/tab characters or more than 4 consecutive spaces");
    values.set(isNamed ? String(name) : String(index + 1), value);
  }
  const missing = names.find((name) => !values.has(name));
  if (missing !== undefined) return fault(132012, `${where}: there is no parameter for {{${missing}}}`);
  return text.replaceAll(PLACEHOLDER, (_whole, name: string) => values.get(name) ?? "");
}

function buttons(all: NonNullable<Component["buttons"]>, components: readonly Fields[]): Screen["choices"] | Fault {
  const given = components.filter(({ type }) => String(type).toLowerCase() === "button");
  const stray = given.find(({ index }) => all[Number(index)] === undefined);
  if (stray) return fault(132018, `buttons: there is no button at index ${String(stray.index)}`);
  const choices: { id: string; title: string; url?: string }[] = [];
  for (const [at, button] of all.entries()) {
    const own = given.find(({ index }) => Number(index) === at);
    const [parameter = {}] = listIn(own?.parameters);
    const { text, payload } = part(parameter);
    if (button.url?.includes("{{1}}") && typeof text !== "string")
      return fault(131008, `buttons: Button at index ${at} of type Url requires a parameter`);
    const id = typeof payload === "string" ? payload : button.text;
    choices.push({
      id,
      title: button.text,
      ...(button.url !== undefined && { url: button.url.replace("{{1}}", encodeURI(String(text ?? ""))) }),
    });
  }
  return choices;
}
