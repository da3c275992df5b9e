import { isUserId } from "../../kernel/chat-address.ts";
import type { ChatContent, ChatInteractive, ChatMedia, ChatPayload, ChatTemplate } from "../../ports/chat-payload.ts";

type Json = Readonly<Record<string, unknown>>;

/** The body of `POST /{phone_number_id}/messages`. Source: Meta, OpenAPI of the business messaging API, v23.0. */
export function messageBody(recipient: string, reference: string, { content, in_reply_to }: ChatPayload): Json {
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    // A phone without the plus gets the country code of our own number in front; the id of a user has a field of its own.
    ...(isUserId(recipient) ? { recipient } : { to: `+${recipient}` }),
    ...inType(content),
    ...(in_reply_to !== undefined && { context: { message_id: in_reply_to } }),
    biz_opaque_callback_data: reference,
  };
}

function inType(content: ChatContent): Json {
  switch (content.type) {
    case "text":
      return { type: "text", text: { preview_url: content.preview_url, body: content.body } };
    case "template":
      return { type: "template", template: template(content) };
    case "interactive":
      return { type: "interactive", interactive: interactive(content) };
    case "media": {
      const { kind, caption, filename } = content;
      const named = kind === "document" && filename !== undefined && { filename };
      return { type: kind, [kind]: { ...fileOf(content), ...(caption !== undefined && { caption }), ...named } };
    }
  }
}

const fileOf = (media: ChatMedia): Json => ("id" in media ? { id: media.id } : { link: media.link });

/** Parameters belong to the component that has the placeholder; one without placeholders is left out. */
function template({ name, language, header, body, buttons, names }: ChatTemplate): Json {
  const components: Json[] = [];
  if (header && "kind" in header)
    components.push({ type: "header", parameters: [{ type: header.kind, [header.kind]: fileOf(header) }] });
  else if (header && header.length > 0) components.push({ type: "header", parameters: texts(header, names?.header) });
  if (body && body.length > 0) components.push({ type: "body", parameters: texts(body, names?.body) });
  for (const { index, kind, value } of buttons ?? [])
    components.push({
      type: "button",
      sub_type: kind,
      index: String(index),
      parameters: [kind === "url" ? { type: "text", text: value } : { type: "payload", payload: value }],
    });
  return { name, language: { policy: "deterministic", code: language }, ...(components.length > 0 && { components }) };
}

/** Only templates that name their placeholders may carry names. */
const texts = (values: readonly string[], names: readonly string[] | undefined): readonly Json[] =>
  values.map((text, index) => {
    const name = names?.[index];
    return { type: "text", ...(name !== undefined && { parameter_name: name }), text };
  });

function interactive({ body, header, footer, action }: ChatInteractive): Json {
  const around = {
    ...(header !== undefined && { header: { type: "text", text: header } }),
    body: { text: body },
    ...(footer !== undefined && { footer: { text: footer } }),
  };
  switch (action.kind) {
    case "buttons":
      return {
        type: "button",
        ...around,
        action: { buttons: action.buttons.map((reply) => ({ type: "reply", reply })) },
      };
    case "list":
      return { type: "list", ...around, action: { button: action.button, sections: action.sections } };
    case "cta_url":
      return {
        type: "cta_url",
        ...around,
        action: { name: "cta_url", parameters: { display_text: action.label, url: action.url } },
      };
  }
}
