import { isRecord } from "../vendors/json.ts";
import { json, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { only } from "./account.ts";
import { failure } from "./errors.ts";

/** A template as the Graph API lists it. */
export interface Template {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly parameter_format: "POSITIONAL" | "NAMED";
  readonly components: readonly Component[];
}

export interface Component {
  /** HEADER, BODY, FOOTER, BUTTONS; or a part that must be given more, see parts.ts. */
  readonly type: string;
  readonly format?: string;
  readonly text?: string;
  readonly buttons?: readonly { readonly type: string; readonly text: string; readonly url?: string }[];
  /** Of a CAROUSEL. */
  readonly cards?: readonly unknown[];
  readonly limited_time_offer?: unknown;
}

const body = (text: string): Component => ({ type: "BODY", text });

const template = (
  name: string,
  category: "MARKETING" | "UTILITY" | "AUTHENTICATION",
  components: readonly Component[],
  more: Partial<Template> = {},
): Omit<Template, "id"> => ({
  name,
  language: "en_US",
  status: "APPROVED",
  category,
  parameter_format: "POSITIONAL",
  components,
  ...more,
});

const AT_FIRST: readonly Omit<Template, "id">[] = [
  template("hello_world", "UTILITY", [body("Welcome and congratulations! This message shows that all works.")]),
  template("order_update", "UTILITY", [
    body("Hello {{1}}, your order {{2}} is ready."),
    { type: "FOOTER", text: "Reply to this message for help" },
  ]),
  template("weekend_offer", "MARKETING", [
    { type: "HEADER", format: "IMAGE" },
    body("Hi {{1}}, this weekend all data plans are cheaper."),
    {
      type: "BUTTONS",
      buttons: [
        { type: "QUICK_REPLY", text: "Show me" },
        { type: "QUICK_REPLY", text: "Stop offers" },
      ],
    },
  ]),
  template("login_code", "AUTHENTICATION", [
    body("*{{1}}* is your verification code."),
    {
      type: "BUTTONS",
      buttons: [
        { type: "URL", text: "Copy code", url: "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}" },
      ],
    },
  ]),
  template("old_offer", "MARKETING", [body("Hi {{1}}, come back soon.")], { status: "PAUSED" }),
  template("meter_reminder", "UTILITY", [body("Sannu {{1}}, lambar mitar ku ita ce {{2}}.")], { language: "ha" }),
  template("receipt_link", "UTILITY", [
    { type: "HEADER", format: "TEXT", text: "Receipt {{1}}" },
    body("Your receipt of {{1}} is ready."),
    { type: "BUTTONS", buttons: [{ type: "URL", text: "Open", url: "https://portal.example.ng/r/{{1}}" }] },
  ]),
  template("delivery_day", "UTILITY", [body("Hello {{first_name}}, {{item}} comes on {{day}}.")], {
    parameter_format: "NAMED",
  }),
  template("monthly_statement", "UTILITY", [{ type: "HEADER", format: "DOCUMENT" }, body("Your statement of {{1}}.")]),
  template("new_offer", "MARKETING", [body("Hi {{1}}, there is news.")], { status: "PENDING" }),
];

const keyOf = ({ name, language }: Pick<Template, "name" | "language">): string => `${name} ${language}`;

/** Null: deleted. */
const changes = (world: VendorWorld): Readonly<Record<string, Template | null>> =>
  (world.recall("templates") ?? {}) as Readonly<Record<string, Template | null>>;

/** As they are today: those of the beginning, changed and added to. */
function templatesOf(world: VendorWorld): readonly Template[] {
  const atFirst = AT_FIRST.map((one, index) => ({ ...one, id: String(300_000_000_000_001 + index) }));
  return Object.values<Template | null>({
    ...Object.fromEntries(atFirst.map((one) => [keyOf(one), one])),
    ...changes(world),
  }).filter((one) => one !== null);
}

export const findTemplate = (world: VendorWorld, name: string, language: string): Template | undefined =>
  templatesOf(world).find((one) => one.name === name && one.language === language);

/** Makes a template, or changes one. */
export function changeTemplate(
  world: VendorWorld,
  change: Pick<Template, "name" | "language"> & Partial<Template>,
): Template {
  const known = findTemplate(world, change.name, change.language);
  const made = {
    ...template(change.name, "UTILITY", [body("Hello.")]),
    id: String(310_000_000_000_000 + (world.now % 1e12)),
  };
  const changed: Template = { ...(known ?? made), ...change };
  world.keep("templates", { ...changes(world), [keyOf(changed)]: changed });
  return changed;
}

const PAGE = 25;
const CURSOR = "template:";

/** GET /{waba_id}/message_templates, by cursors. */
export function listTemplates({ query, headers, path }: VendorRequest, world: VendorWorld): VendorAnswer {
  const limit = Number(query.get("limit") ?? PAGE);
  if (!Number.isInteger(limit) || limit < 1) return failure(100, "limit must be a positive integer");
  const found = templatesOf(world).filter((one) => isWanted(one, query));
  const start = indexIn(query.get("after"));
  const page = found.slice(start, start + limit);
  const shown = page.map((one) => only({ ...one }, query));
  const [before, after] = [cursorOf(start), cursorOf(start + page.length)];
  const hasMore = start + page.length < found.length;
  const next = new URLSearchParams([...query].filter(([key]) => key !== "after" && key !== "access_token"));
  next.set("after", after);
  return json({
    data: shown,
    ...(page.length > 0 && {
      paging: {
        cursors: { before, after },
        ...(hasMore && { next: `http://${headers.host}${path}?${next}` }),
      },
    }),
  });
}

/** What Meta can look for: a part of the name or of the texts, and one or several of the words of a field. */
function isWanted(one: Template, query: URLSearchParams): boolean {
  const content = one.components.map(({ text = "" }) => text).join("\n");
  const has = (name: string, ...texts: readonly string[]) => {
    const part = query.get(name)?.toLowerCase();
    return part === undefined || texts.some((text) => text.toLowerCase().includes(part));
  };
  const is = (name: string, value: string) => {
    const words = query.get(name)?.replaceAll(/[[\]"\s]/g, "");
    return words === undefined || words.toLowerCase().split(",").includes(value.toLowerCase());
  };
  return (
    has("name", one.name) &&
    has("content", content) &&
    has("name_or_content", one.name, content) &&
    is("status", one.status) &&
    is("category", one.category) &&
    is("language", one.language)
  );
}

const cursorOf = (index: number): string => Buffer.from(`${CURSOR}${index}`).toString("base64");

function indexIn(cursor: string | null): number {
  const text = Buffer.from(cursor ?? "", "base64").toString();
  return text.startsWith(CURSOR) ? Number(text.slice(CURSOR.length)) : 0;
}

const byId = (world: VendorWorld, id: string): Template | undefined => templatesOf(world).find((one) => one.id === id);

/** /{template_id}: read, or changed. Undefined: there is no such template. */
export function onTemplate(
  { method, query, body: made }: VendorRequest,
  world: VendorWorld,
  id: string,
): VendorAnswer | undefined {
  const found = byId(world, id);
  if (!found) return undefined;
  if (method === "GET") return json(only({ ...found }, query));
  if (method !== "POST" || !isRecord(made)) return undefined;
  const { category, components } = made as Partial<Template>;
  changeTemplate(world, { ...found, ...(category && { category }), ...(components && { components }) });
  return json({ success: true });
}

/** DELETE /{waba_id}/message_templates?name=: in all its languages; with hsm_id the one alone. */
export function deleteTemplates({ query }: VendorRequest, world: VendorWorld): VendorAnswer {
  const [name, id] = [query.get("name"), query.get("hsm_id")];
  const gone = templatesOf(world).filter((one) =>
    id === null ? one.name === name : one.id === id && one.name === name,
  );
  if (gone.length === 0) return failure(100, "There is no message template with this name");
  for (const { name: known, language } of gone) forgetTemplate(world, { name: known, language });
  return json({ success: true });
}

const forgetTemplate = (world: VendorWorld, gone: Pick<Template, "name" | "language">): void =>
  world.keep("templates", { ...changes(world), [keyOf(gone)]: null });

/** POST /{waba_id}/message_templates: approved at once. */
export function createTemplate({ body: made }: VendorRequest, world: VendorWorld): VendorAnswer {
  if (!isRecord(made) || typeof made.name !== "string" || typeof made.language !== "string")
    return failure(100, "name and language are needed");
  const { id, status, category } = changeTemplate(world, { status: "APPROVED", ...made } as Template);
  return json({ id, status, category });
}
