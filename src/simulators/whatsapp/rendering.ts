import { isRecord } from "../vendors/json.ts";
import type { SentMessage } from "./messages.ts";

/** What a message looks like on the screen. */
export type Screen = Pick<SentMessage, "text" | "header" | "footer" | "media" | "choices" | "isList" | "template">;

/** What is wrong with a message: the code that Meta answers with, and its details. */
export interface Fault {
  readonly code: number;
  readonly details: string;
}

export const isFault = (value: Screen | Fault): value is Fault => "code" in value;

export const fault = (code: number, details: string): Fault => ({ code, details });

type Fields = Readonly<Record<string, unknown>>;
export const part = (value: unknown): Fields => (isRecord(value) ? value : {});
export const listIn = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? (value as readonly unknown[]).map(part) : [];

/** Undefined when it is no text, an empty one, or too long. */
export const textUpTo = (max: number, value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= max ? value : undefined;

const MEDIA_KINDS = ["image", "video", "document", "audio", "sticker"];
export const isMediaKind = (type: string): boolean => MEDIA_KINDS.includes(type);

/** A file by id or by link; links are shown, never fetched. `hasMedia`: whether an id is one of an uploaded file. */
export function mediaIn(
  kind: string,
  object: unknown,
  hasMedia: (id: string) => boolean,
): SentMessage["media"] | Fault {
  const { link, caption, filename, ...named } = part(object);
  // Clients write ids as numbers too.
  const id = typeof named.id === "number" ? String(named.id) : named.id;
  if ((id === undefined) === (link === undefined)) return fault(100, `${kind}: exactly one of id and link is needed`);
  if (id !== undefined && (typeof id !== "string" || !hasMedia(id)))
    return fault(131009, `${kind}: the media ID is not known`);
  if (link !== undefined && (typeof link !== "string" || !/^https?:\/\//.test(link)))
    return fault(131009, `${kind}: the link is not a URL`);
  if (caption !== undefined && textUpTo(1_024, caption) === undefined)
    return fault(131009, `${kind}: the caption is too long`);
  return {
    kind,
    ...(typeof id === "string" && { id }),
    ...(typeof link === "string" && { link }),
    ...(typeof caption === "string" && { caption }),
    ...(typeof filename === "string" && { filename }),
  };
}

/** Text, media or something to press. Limits: Meta's pages on each type; docs/providers/whatsapp-cloud.md. */
export function freeForm(type: string, body: Fields, hasMedia: (id: string) => boolean): Screen | Fault {
  const object = part(body[type]);
  if (isMediaKind(type)) {
    const media = mediaIn(type, object, hasMedia);
    return media && "code" in media ? media : { text: media?.caption ?? "", ...(media && { media }), choices: [] };
  }
  switch (type) {
    case "text": {
      const text = textUpTo(4_096, object.body);
      return text === undefined ? fault(100, "text.body must have 1 to 4096 characters") : { text, choices: [] };
    }
    case "interactive":
      return interactive(object);
    case "reaction":
      return { text: String(object.emoji ?? ""), choices: [] };
    case "location":
      return { text: String(object.name ?? ""), choices: [] };
    case "contacts":
      return { text: "", choices: [] };
    default:
      return fault(100, `Param type must be one of the types of messages. Got '${type}'.`);
  }
}

function interactive(object: Fields): Screen | Fault {
  const most = object.type === "list" ? 4_096 : 1_024;
  const text = textUpTo(most, part(object.body).text);
  if (text === undefined) return fault(131009, `interactive.body.text must have 1 to ${most} characters`);
  const [header, footer] = [part(object.header).text, part(object.footer).text];
  for (const [name, value] of Object.entries({ header, footer }))
    if (value !== undefined && textUpTo(60, value) === undefined)
      return fault(131009, `interactive.${name}.text must have 1 to 60 characters`);
  const choices = choicesIn(object);
  if ("code" in choices) return choices;
  return {
    text,
    choices,
    ...(object.type === "list" && { isList: true }),
    ...(typeof header === "string" && { header }),
    ...(typeof footer === "string" && { footer }),
  };
}

type Choices = SentMessage["choices"];

function choicesIn({ type, action }: Fields): Choices | Fault {
  switch (type) {
    case "button": {
      const buttons = listIn(part(action).buttons).map(({ reply }) => part(reply));
      if (buttons.length < 1 || buttons.length > 3) return fault(131009, "There are 1 to 3 buttons");
      return checked(buttons, 256, 20);
    }
    case "list": {
      const sections = listIn(part(action).sections);
      if (textUpTo(20, part(action).button) === undefined) return fault(131009, "action.button has 1 to 20 characters");
      if (sections.length > 1 && sections.some(({ title }) => textUpTo(24, title) === undefined))
        return fault(131009, "Each of several sections has a title of 1 to 24 characters");
      const rows = sections.flatMap((section) => listIn(section.rows));
      if (rows.length < 1 || rows.length > 10) return fault(131009, "There are 1 to 10 rows in all sections together");
      return checked(rows, 200, 24);
    }
    case "cta_url": {
      const { display_text, url } = part(part(action).parameters);
      const title = textUpTo(20, display_text);
      if (title === undefined || typeof url !== "string") return fault(131009, "display_text and url are needed");
      return [{ id: "", title, url }];
    }
    default:
      return fault(100, `interactive.type '${String(type)}' is not supported`);
  }
}

function checked(all: readonly Fields[], idMax: number, titleMax: number): Choices | Fault {
  const choices = all.map(({ id, title }) => ({
    id: textUpTo(idMax, id) ?? "",
    title: textUpTo(titleMax, title) ?? "",
  }));
  if (choices.some(({ id, title }) => id === "" || title === ""))
    return fault(131009, `ids have 1 to ${idMax} characters, titles 1 to ${titleMax}`);
  if (new Set(choices.map(({ id }) => id)).size < choices.length) return fault(131009, "Each id stands once");
  return choices;
}
