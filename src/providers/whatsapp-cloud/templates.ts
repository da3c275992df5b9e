import type { VendorTemplate } from "../../ports/chat-payload.ts";
import { type Fields, fieldsOf, isFields, readFields, textOf } from "../../vendor-text/fields.ts";
import { type Graph, sayWhyNot } from "./graph.ts";
import { codeIn } from "./graph-error.ts";
import type { Had } from "./media.ts";

const PAGE = 100;
/** An account holds 250 templates, some hold 6,000; each in several languages counts once for each. */
const PAGES_MAX = 200;

const FIELDS = "name,language,status,category,parameter_format,components";

/** All pages of `GET /{waba_id}/message_templates`, or none of them. Source: Meta, “Template management”. */
export async function listTemplates(graph: Graph, wabaId: string): Promise<Had<readonly VendorTemplate[]>> {
  const templates: VendorTemplate[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = new URLSearchParams({ fields: FIELDS, limit: String(PAGE), ...(after !== undefined && { after }) });
    const outcome = await graph.call("GET", `${wabaId}/message_templates?${query}`);
    const body = outcome.kind === "answered" && outcome.status === 200 ? readFields(outcome.text) : undefined;
    if (!body || !Array.isArray(body.data))
      return { whyNot: sayWhyNot(outcome), ...(outcome.kind === "answered" && { code: codeIn(outcome.text) }) };
    const listed = (body.data as readonly unknown[]).filter(isFields).flatMap((one) => templateOf(one) ?? []);
    templates.push(...listed.filter(isStorable));
    const paging = fieldsOf(body.paging);
    const next = textOf(fieldsOf(paging.cursors), ["after"]);
    // The last page has a cursor too, but no `next`.
    if (paging.next === undefined || next === undefined) return { had: templates };
    if (next === after) return { whyNot: "the same page came again" };
    after = next;
  }
  return { whyNot: `there are more than ${PAGES_MAX} pages` };
}

const NAME_MAX = 512;
const LANGUAGE_MAX = 20;

/** One that can't be stored, for a NUL or half a character, must not keep all others from being known. */
const isStorable = (template: VendorTemplate): boolean =>
  template.name.length <= NAME_MAX &&
  template.language.length <= LANGUAGE_MAX &&
  !/\\u(?:0000|d[89a-f])/.test(JSON.stringify(template));

const CATEGORIES = ["marketing", "utility", "authentication"] as const;
const HEADERS = ["text", "image", "video", "document"] as const;
const COMPONENTS: readonly string[] = ["header", "body", "footer", "buttons", "call_permission_request"];
/** Buttons that need nothing from the sender, but for a link's end, or take a one-time code. */
const BUTTONS: readonly string[] = ["quick_reply", "url", "phone_number", "voice_call", "request_contact_info"];
const CODE_BUTTONS: readonly string[] = ["url", "otp", "copy_code"];

/** Undefined for what has no name, language, body or category that we know. */
function templateOf(listed: Fields): VendorTemplate | undefined {
  const [name, language] = [textOf(listed, ["name"]), textOf(listed, ["language"])];
  const category = oneOf(CATEGORIES, listed.category);
  const components = Array.isArray(listed.components) ? (listed.components as readonly unknown[]).filter(isFields) : [];
  const part = (type: string) => components.find((component) => lower(component.type) === type);
  const { text: body } = part("body") ?? {};
  if (name === undefined || language === undefined || !category || typeof body !== "string") return undefined;
  const header = headerOf(part("header"));
  const buttons = buttonsOf(part("buttons"));
  const unknownParts = [
    ...components.map(({ type }) => lower(type)).filter((type) => !COMPONENTS.includes(type)),
    ...(part("header") && !header ? [`${lower(part("header")?.format)} header`.trim()] : []),
    ...buttons
      .map(({ kind }) => kind)
      .filter((kind) => !(category === "authentication" ? CODE_BUTTONS : BUTTONS).includes(kind))
      .map((kind) => `${kind} button`.trim()),
  ];
  return {
    name,
    language,
    category,
    status: lower(listed.status),
    ...(header && { header }),
    body,
    ...(components.every(({ type }) => lower(type) === "body") && { isBodyOnly: true as const }),
    ...(unknownParts.length > 0 && { unknownParts: [...new Set(unknownParts)] }),
    buttons,
    isNamed: lower(listed.parameter_format) === "named",
  };
}

function headerOf(component: Fields | undefined): VendorTemplate["header"] | undefined {
  const kind = oneOf(HEADERS, component?.format);
  if (!component || !kind) return undefined;
  return { kind, ...(typeof component.text === "string" && { text: component.text }) };
}

function buttonsOf(component: Fields | undefined): VendorTemplate["buttons"] {
  const buttons = Array.isArray(component?.buttons) ? (component.buttons as readonly unknown[]) : [];
  return buttons.map((button, index) => {
    const { type, text, url } = fieldsOf(button);
    return {
      index,
      kind: lower(type),
      text: typeof text === "string" ? text : "",
      ...(typeof url === "string" && { url }),
    };
  });
}

const lower = (word: unknown): string => (typeof word === "string" ? word.toLowerCase() : "");

const oneOf = <Word extends string>(words: readonly Word[], word: unknown): Word | undefined =>
  words.find((known) => known === lower(word));
