import Type from "typebox";
import {
  Charge,
  closed,
  Direction,
  extending,
  Failure,
  Id,
  ListOf,
  Metadata,
  Mode,
  named,
  oneOf,
  Price,
  paging,
  Reference,
  Timestamp,
  UnderstoodAs,
} from "../http/schemas.ts";
import { CHAT_ADDRESS_MAX } from "../kernel/chat-address.ts";
import { ON_AMBIGUOUS, ON_AMBIGUOUS_DEFAULT } from "../kernel/on-ambiguous.ts";
import { TEXT_UNITS_MAX } from "../kernel/segments.ts";
import { CHAT_STEPS } from "./chat.steps.ts";
import { InteractiveKind, interactiveFields, text } from "./interactive.schemas.ts";
import { LIMITS } from "./limits.ts";

const To = text(
  CHAT_ADDRESS_MAX,
  "A Nigerian mobile number, e.g. `08031234567` or `+2348031234567`, or the `user_id` of someone who hides it.",
);
const From = text(40, "One of the account's chat numbers; default: the first.");

const Variable = Type.String({ maxLength: LIMITS.template.variable });

const Variables = closed(
  {
    header: Type.Optional(
      Type.Array(Type.String({ maxLength: 2_000 }), {
        maxItems: 10,
        description: "The header's texts; for an image, video or document its address or `media_id`.",
      }),
    ),
    body: Type.Optional(Type.Array(Variable, { maxItems: 100 })),
    buttons: Type.Optional(
      Type.Array(Variable, { maxItems: 10, description: "The last parts of the buttons' links." }),
    ),
  },
  {
    title: "TemplateVariables",
    description: "One entry for each placeholder that `GET /chat/templates` lists, in that order.",
  },
);
const TemplateName = text(LIMITS.template.name, "Its name, as `GET /chat/templates` lists it.");
const Language = text(LIMITS.template.language, "As listed: `en` and `en_US` are different.");

const Fallback = closed(
  {
    template: Type.Optional(
      closed(
        { name: TemplateName, language: Language, variables: Type.Optional(Variables) },
        { title: "FallbackTemplate" },
      ),
    ),
    sms: Type.Optional(
      closed(
        {
          message: Type.String({ minLength: 1, maxLength: TEXT_UNITS_MAX }),
          from: Type.Optional(text(40, "A sender, as in `POST /sms/send`.")),
        },
        { title: "FallbackSms" },
      ),
    ),
  },
  {
    title: "Fallback",
    description:
      "The message to send if this one can't be: exactly one of `template` and `sms`. It is sent at once if the window is closed, or when delivery has certainly failed. It is validated now, as if it were being sent.",
  },
);

const options = {
  from: Type.Optional(From),
  reply_to: Type.Optional(
    text(100, "`id` of the message in this conversation, sent or received, that this one replies to."),
  ),
  on_ambiguous: Type.Optional(
    named(
      "OnAmbiguous",
      oneOf(
        ON_AMBIGUOUS,
        `What to do when the vendor's answer is lost: send again (\`retry\`: the message may arrive twice) or not (\`fail\`: it arrives at most once). Default: \`${ON_AMBIGUOUS_DEFAULT.transactional}\`, or \`${ON_AMBIGUOUS_DEFAULT.promotional}\` for a marketing template.`,
      ),
    ),
  ),
  fallback: Type.Optional(Fallback),
  reference: Type.Optional(Reference),
  metadata: Type.Optional(Metadata),
};

export const TextBody = closed(
  {
    to: To,
    message: text(LIMITS.text),
    preview_url: Type.Optional(Type.Boolean({ description: "Show a preview of the first link in the message." })),
    ...options,
  },
  { title: "SendChatTextRequest" },
);

export const TemplateBody = closed({
  to: To,
  template: TemplateName,
  language: Language,
  variables: Type.Optional(Variables),
  ...options,
});

const MEDIA_KINDS = ["image", "video", "document"] as const;
const MediaId = text(40, "`media_id` of `POST /chat/media`.");
const Url = text(2_000, "The file's address: https, public, no redirect.");
const Caption = text(LIMITS.caption);
const Filename = text(LIMITS.filename, "The document's name as the recipient sees it.");

export const MediaBody = closed(
  {
    to: To,
    type: oneOf(MEDIA_KINDS, "Images up to 5 MB, videos up to 16 MB, documents up to 100 MB."),
    url: Type.Optional(Url),
    media_id: Type.Optional(MediaId),
    caption: Type.Optional(Caption),
    filename: Type.Optional(Filename),
    ...options,
  },
  { description: "Give exactly one of `url` and `media_id`; only a document has a `filename`." },
);

export const InteractiveBody = closed(
  {
    to: To,
    type: InteractiveKind,
    body: text(LIMITS.list.body, "Up to 1,024 characters; of a list up to 4,096."),
    ...interactiveFields,
    ...options,
  },
  { description: "Give exactly one of `buttons`, `list` and `cta_url`: the one named by `type`." },
);

export const ChatStatus = named("ChatStatus", oneOf(Object.keys(CHAT_STEPS.states)));

const SentTemplate = Type.Object(
  {
    name: Type.String(),
    language: Type.String(),
    variables: Type.Object(
      {
        header: Type.Optional(Type.Array(Type.String())),
        body: Type.Optional(Type.Array(Type.String())),
        buttons: Type.Optional(Type.Array(Type.String())),
      },
      { title: "SentVariables" },
    ),
  },
  { title: "SentTemplate" },
);

export const ChatMessage = Type.Object(
  {
    id: Id("msg"),
    object: Type.Literal("chat"),
    direction: Type.Literal("outbound"),
    mode: Mode,
    status: ChatStatus,
    to: Type.String(),
    from: Type.String(),
    type: named("ChatKind", oneOf(["text", "template", ...MEDIA_KINDS, "interactive"])),
    message: Type.Optional(Type.String()),
    template: Type.Optional(SentTemplate),
    media: Type.Optional(
      Type.Object(
        {
          url: Type.Optional(Type.String()),
          media_id: Type.Optional(Type.String()),
          caption: Type.Optional(Type.String()),
          filename: Type.Optional(Type.String()),
        },
        { title: "SentMedia" },
      ),
    ),
    interactive: Type.Optional(
      Type.Object({ type: InteractiveKind, ...interactiveFields }, { title: "SentInteractive" }),
    ),
    category: named(
      "ChatCategory",
      oneOf(
        ["marketing", "utility", "authentication", "service"],
        "The category that sets the price: the template's own, or `service` for everything else.",
      ),
    ),
    price: Price,
    charge: Charge,
    failure: Type.Optional(Failure),
    fallback: Type.Optional(
      Type.Object(
        {
          template: Type.Optional(SentTemplate),
          sms: Type.Optional(
            Type.Object(
              { message: Type.String(), from: Type.String(), segments: Type.Integer() },
              { title: "SentFallbackSms" },
            ),
          ),
          price: Price,
          used: Type.Boolean({
            description: "Whether the fallback was sent. If so, its price is charged in place of `price`.",
          }),
        },
        { title: "SentFallback", description: "The fallback message. The higher of the two prices is held." },
      ),
    ),
    reply_to: Type.Optional(Type.String()),
    reference: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "ChatMessage" },
);

const TimelineEntry = Type.Object(
  {
    status: Type.String(),
    at: Timestamp,
    via: Type.Optional(oneOf(["chat", "sms"], "For a message with a fallback: which of the two it is about.")),
    detail: Type.Optional(Type.String()),
  },
  { title: "ChatTimelineEntry" },
);

export const ChatMessageInFull = extending("ChatMessageInFull", ChatMessage, {
  timeline: Type.Array(TimelineEntry, {
    description: "Each `status` in order. An entry that changed nothing repeats the status of that time.",
  }),
});

export const ReceivedMessage = Type.Object(
  {
    id: Id("msg"),
    object: Type.Literal("chat"),
    direction: Type.Literal("inbound"),
    mode: Mode,
    from: Type.String({
      description: "The person's phone, or the user id of someone who hides it; `to` and `phone` accept both.",
    }),
    user_id: Type.Optional(Type.String({ description: "The vendor's id of the person; it changes with the phone." })),
    to: Type.String({ description: "The account's chat number." }),
    type: Type.String({
      description:
        "text, image, video, audio, document, sticker, interactive, button, reaction, location, order, contacts, edit, revoke, call, user_preferences, … More may be added.",
    }),
    message: Type.Optional(Type.String({ description: "The message's text, or the caption of its file." })),
    media: Type.Optional(
      Type.Object(
        {
          status: oneOf(["pending", "kept", "unavailable", "forgotten"]),
          mime_type: Type.Optional(Type.String()),
          filename: Type.Optional(Type.String()),
          size: Type.Optional(Type.Integer()),
          sha256: Type.Optional(Type.String()),
        },
        { description: "While it is `kept` (30 days), `GET /chat/media/{id of the message}` returns the file." },
      ),
    ),
    choice: Type.Optional(
      Type.Object({ id: Type.String(), title: Type.String() }, { description: "The button or row that was pressed." }),
    ),
    reaction: Type.Optional(
      Type.Object(
        { message_id: Type.Optional(Id("msg")), emoji: Type.Optional(Type.String()) },
        { description: "Without an `emoji` the reaction was removed." },
      ),
    ),
    location: Type.Optional(
      Type.Object({
        latitude: Type.Number(),
        longitude: Type.Number(),
        name: Type.Optional(Type.String()),
        address: Type.Optional(Type.String()),
      }),
    ),
    reply_to: Type.Optional(Id("msg")),
    edits: Type.Optional({ ...Id("msg"), description: "The message that this edit replaces." }),
    revokes: Type.Optional({ ...Id("msg"), description: "The message that was deleted." }),
    understood_as: Type.Optional(UnderstoodAs),
    referral: Type.Optional(
      Type.Unknown({
        description: "The advertisement that led the person here, as reported by Meta, with its `ctwa_clid`.",
      }),
    ),
    referred_product: Type.Optional(
      Type.Unknown({ description: "The catalogue product that the message asks about." }),
    ),
    forwarded: Type.Optional(Type.Literal(true)),
    frequently_forwarded: Type.Optional(Type.Literal(true)),
    group_id: Type.Optional(Type.String({ description: "The group in which it was written." })),
    raw: Type.Optional(
      Type.Unknown({
        description: "The vendor's complete message, where it has more than the fields here: orders, contacts, flows.",
      }),
    ),
    profile_name: Type.Optional(Type.String({ description: "The name that the person chose; not verified." })),
    written_at: { ...Timestamp, description: "By the vendor's clock; the window opens at this time." },
    created_at: Timestamp,
  },
  { title: "ReceivedChatMessage" },
);

export const ChatList = ListOf(named("AnyChatMessage", Type.Union([ChatMessage, ReceivedMessage])));

export const ListQuery = closed({
  ...paging,
  direction: Type.Optional({ ...Direction, description: "Both by default." }),
  status: Type.Optional({ ...ChatStatus, description: "Of outbound messages: inbound ones have none." }),
  phone: Type.Optional(text(CHAT_ADDRESS_MAX, "The other party's number, or user id.")),
  reference: Type.Optional(Reference),
  created_after: Type.Optional(Timestamp),
  created_before: Type.Optional(Timestamp),
});

export const FromQuery = closed({ from: Type.Optional(From) });

/** What can keep any send from being accepted. */
export const ACCEPT_ERRORS = [
  "template_not_found",
  "template_variables_mismatch",
  "media_refused",
  "recipient_opted_out",
  "message_too_long",
  "insufficient_balance",
  "invalid_phone_number",
  "destination_not_supported",
  "sender_not_approved",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "reference_already_used",
  "quota_exceeded",
  "provider_unavailable",
  "database_unavailable",
  "overloaded",
  "acceptance_unknown",
] as const;

export const chatAuth = (scope: "send" | "read", policy: string) => ({ service: "chat", scope, policy }) as const;
