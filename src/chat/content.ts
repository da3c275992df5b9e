import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { ChatContent, ChatTemplate, MediaKind } from "../ports/chat-payload.ts";
import type { ChatCategory } from "./fallback.ts";
import { blankFaults, type InteractiveRequest, readInteractive } from "./interactive.ts";
import type { Media, WantedMedia } from "./media.service.ts";
import type { ChatNumber } from "./numbers.repo.ts";
import type { NumberOwner } from "./numbers.service.ts";
import { type FilledTemplate, fillTemplate, type Variables } from "./template.ts";
import type { Templates } from "./templates.service.ts";

/** What is asked to be sent. Form and lengths are the schemas'. */
export type ChatRequest =
  | { readonly kind: "text"; readonly message: string; readonly preview_url?: boolean }
  | { readonly kind: "template"; readonly template: string; readonly language: string; readonly variables?: Variables }
  | MediaRequest
  | ({ readonly kind: "interactive" } & InteractiveRequest);

export interface MediaRequest {
  readonly kind: "media";
  readonly type: MediaKind;
  readonly url?: string;
  readonly media_id?: string;
  readonly caption?: string;
  readonly filename?: string;
}

/** What a message is made of, with what it costs by and which files it has. */
export interface MadeContent {
  readonly content: ChatContent;
  readonly category: ChatCategory;
  readonly media_id?: string;
  readonly media_url?: string;
}

export interface ContentMakers {
  readonly templates: Pick<Templates, "find">;
  readonly media: Pick<Media, "resolve">;
}

type Made = Result<MadeContent, readonly Fault[]>;

/** `isOtherwiseSound`: nothing else is wrong with the request, so that a link is worth a look. */
export type MakeContent = (
  owner: NumberOwner,
  number: ChatNumber,
  request: ChatRequest,
  isOtherwiseSound: boolean,
) => Promise<Made>;

export function makeContent({ templates, media }: ContentMakers): MakeContent {
  return async (owner, number, request, isOtherwiseSound) => {
    switch (request.kind) {
      case "text": {
        const faults = blankFaults({ "/message": request.message });
        if (faults.length > 0) return refuse(faults);
        return service({ type: "text", body: request.message, preview_url: request.preview_url ?? false });
      }
      case "interactive": {
        const read = readInteractive(request);
        return read.ok ? service(read.value) : read;
      }
      case "media":
        return makeMediaMessage(owner, number, request, isOtherwiseSound);
      case "template":
        return makeTemplateMessage(owner, number, request, isOtherwiseSound);
    }
  };

  async function makeMediaMessage(
    owner: NumberOwner,
    number: ChatNumber,
    { type, url, media_id: mediaId, caption, filename }: MediaRequest,
    isOtherwiseSound: boolean,
  ): Promise<Made> {
    const faults: Fault[] = [];
    if (url === undefined && mediaId === undefined)
      faults.push({ pointer: "/url", code: "required", detail: "Give one of `url` and `media_id`." });
    if (url !== undefined && mediaId !== undefined)
      faults.push({
        pointer: "/media_id",
        code: "not_together",
        detail: "Give one of `url` and `media_id`, not both.",
      });
    if (filename !== undefined && type !== "document")
      faults.push({ pointer: "/filename", code: "unknown_field", detail: "Only a document has a `filename`." });
    if (faults.length > 0) return refuse(faults);
    if (!isOtherwiseSound) return refuse([]);
    const wanted: WantedMedia = {
      kind: type,
      ...(url !== undefined && { url }),
      ...(mediaId !== undefined && { mediaId }),
      pointer: url === undefined ? "/media_id" : "/url",
    };
    const resolved = await media.resolve(owner, number, wanted);
    if (!resolved.ok) return refuse([resolved.error]);
    const { media: file, ...files } = resolved.value;
    const content: ChatContent = {
      type: "media",
      ...file,
      ...(caption !== undefined && { caption }),
      ...(filename !== undefined && { filename }),
    };
    return ok({ content, category: "service", ...files });
  }

  async function makeTemplateMessage(
    owner: NumberOwner,
    number: ChatNumber,
    { template: name, language, variables = {} }: Extract<ChatRequest, { kind: "template" }>,
    isOtherwiseSound: boolean,
  ): Promise<Made> {
    const found = await templates.find(number.provider, name, language);
    if (!found.ok) return refuse([found.error]);
    const filled = fillTemplate(found.value, variables);
    if (!filled.ok) return filled;
    const { category } = found.value;
    const { headerFile, ...rest } = filled.value;
    if (!headerFile) return ok({ content: rest, category });
    if (!isOtherwiseSound) return refuse([]);
    return withHeader(owner, number, rest, headerFile, category);
  }

  async function withHeader(
    owner: NumberOwner,
    number: ChatNumber,
    template: Omit<ChatTemplate, "header">,
    { kind, source }: NonNullable<FilledTemplate["headerFile"]>,
    category: ChatCategory,
  ): Promise<Made> {
    const where = source.startsWith("med_") ? { mediaId: source } : { url: source };
    const resolved = await media.resolve(owner, number, { kind, ...where, pointer: "/variables/header/0" });
    if (!resolved.ok) return refuse([resolved.error]);
    const { media: header, ...files } = resolved.value;
    return ok({ content: { ...template, header }, category, ...files });
  }
}

const service = (content: ChatContent): Made => ok({ content, category: "service" });
