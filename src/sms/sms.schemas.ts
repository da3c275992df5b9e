import Type from "typebox";
import {
  Charge,
  closed,
  Direction,
  extending,
  Failure,
  Id,
  IdFilter,
  ListOf,
  Metadata,
  Mode,
  Money,
  Network,
  named,
  oneOf,
  Price,
  paging,
  Reference,
  TimelineEntry,
  Timestamp,
  UnderstoodAs,
} from "../http/schemas.ts";
import { ON_AMBIGUOUS, ON_AMBIGUOUS_DEFAULT } from "../kernel/on-ambiguous.ts";
import type { FaultCode } from "../kernel/refusal.ts";
import { SMS_STEPS } from "./sms.steps.ts";
import { VALIDITY_MINUTES } from "./sms.ts";

/** Ten segments hold 1,530 GSM-7 characters; a little room lets an over-long text be told by its segments. */
const MESSAGE_CHARACTERS_MAX = 5_000;
export const BULK_RECIPIENTS_MAX = 10_000;

const To = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "A Nigerian mobile number, e.g. `08031234567` or `+2348031234567`.",
});
const Message = Type.String({
  minLength: 1,
  maxLength: MESSAGE_CHARACTERS_MAX,
  description: "The text as shown on the handset: at most 10 segments.",
});

const options = {
  from: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      description: "Sender ID: 3–11 letters, digits and spaces with one letter at least, or a number.",
    }),
  ),
  route: Type.Optional(
    named(
      "SmsRoute",
      oneOf(["transactional", "promotional"], "Promotional messages leave only between 08:00 and 20:00 in Lagos."),
    ),
  ),
  send_at: Type.Optional({ ...Timestamp, description: "From 1 minute (test mode: 1 second) to 30 days ahead." }),
  validity_minutes: Type.Optional(
    Type.Integer({
      minimum: VALIDITY_MINUTES.min,
      maximum: VALIDITY_MINUTES.max,
      description: `How long delivery may be attempted; ${VALIDITY_MINUTES.default} by default.`,
    }),
  ),
  smart_encoding: Type.Optional(
    Type.Boolean({ description: "Replace the few characters that force UCS-2 (₦ → N, curly quotes)." }),
  ),
  quiet_hours: Type.Optional(
    named("QuietHours", oneOf(["schedule", "fail"], "The handling of a promotional message outside permitted hours.")),
  ),
  reference: Type.Optional(Reference),
  metadata: Type.Optional(Metadata),
};

const OnAmbiguousWord = named("OnAmbiguous", oneOf(ON_AMBIGUOUS));
const OnAmbiguous = (whenAbsent: string) =>
  Type.Optional({
    ...OnAmbiguousWord,
    description: `What to do when the vendor's answer is lost: send again (\`retry\`: the message may arrive twice) or not (\`fail\`: it arrives at most once). ${whenAbsent}`,
  });
const { transactional, promotional, bulk } = ON_AMBIGUOUS_DEFAULT;

export const SendBody = closed({
  to: To,
  message: Message,
  ...options,
  on_ambiguous: OnAmbiguous(
    `Default: \`${transactional}\` for a transactional message, \`${promotional}\` for a promotional one.`,
  ),
});

/**
 * Texts of an item have no bounds here: an item whose text is too long, empty or has characters that no text may have is rejected
 * alone, and does not refuse the thousands beside it.
 */
const ItemTo = Type.String({
  description:
    "A Nigerian mobile number, e.g. `08031234567` or `+2348031234567`. Anything else is rejected for that item alone.",
});
const Item = closed({
  to: ItemTo,
  message: Type.String({ description: "The text as shown on the handset: at most 10 segments." }),
  reference: Type.Optional(Type.String({ description: "Your own id for the message: 1 to 100 characters." })),
});
const items = { minItems: 1, maxItems: BULK_RECIPIENTS_MAX };

/** Either one text for many numbers or a text each: the handler asks for exactly one of the two. */
export const BulkBody = closed(
  {
    to: Type.Optional(Type.Array(ItemTo, { ...items, description: "Up to 10,000 numbers; each receives `message`." })),
    message: Type.Optional(Message),
    messages: Type.Optional(
      Type.Array(Item, { ...items, description: "Up to 10,000 messages, each with its own text." }),
    ),
    ...options,
    on_ambiguous: OnAmbiguous(`Default for a bulk: \`${bulk}\`.`),
  },
  { description: "Either `to` with `message`, or `messages`." },
);

export const PreviewBody = closed({
  message: Type.String({ minLength: 1, maxLength: MESSAGE_CHARACTERS_MAX }),
  smart_encoding: Type.Optional(Type.Boolean()),
});

const SMS_STATUSES = Object.keys(SMS_STEPS.states);
export const SmsStatus = named("SmsStatus", oneOf(SMS_STATUSES));
const Encoding = named("SmsEncoding", oneOf(["gsm7", "ucs2"]));

const LeavesAt = Type.Optional({
  ...Timestamp,
  description: "When a `scheduled` message will leave: at its `send_at`, or at 08:00 in Lagos after the quiet hours.",
});

export const SmsMessage = Type.Object(
  {
    id: Id("msg"),
    object: Type.Literal("sms"),
    direction: Type.Literal("outbound"),
    mode: Mode,
    status: SmsStatus,
    to: Type.String(),
    from: Type.String(),
    message: Type.String(),
    encoding: Encoding,
    segments: Type.Integer(),
    network_guess: Type.Union([Network, Type.Null()], {
      description: "Derived from the number's prefix. A guess: numbers are ported to other networks.",
    }),
    network: Type.Optional(Type.String({ description: "As learned from a vendor's answer." })),
    price: Price,
    charge: Charge,
    reference: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
    bulk_id: Type.Optional(Id("blk")),
    send_at: Type.Optional(Timestamp),
    leaves_at: LeavesAt,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "SmsMessage" },
);

export const SmsMessageInFull = extending("SmsMessageInFull", SmsMessage, {
  report_overdue: Type.Optional(
    Type.Boolean({ description: "Still `sent` after its validity ended: the network may never report." }),
  ),
  failure: Type.Optional(Failure),
  parts: Type.Optional(
    Type.Array(Type.Object({ index: Type.Integer(), status: Type.String() }), {
      description: "For a message of several segments: each has its own report.",
    }),
  ),
  timeline: Type.Array(TimelineEntry, {
    description: "Each `status` in order. An entry that changed nothing repeats the status of that time.",
  }),
});

export const ReceivedSms = Type.Object(
  {
    id: Id("msg"),
    object: Type.Literal("sms"),
    direction: Type.Literal("inbound"),
    mode: Mode,
    from: Type.String({ description: "The author: a number, or the short code or name reported by the network." }),
    to: Type.String({ description: "The account's number or short code." }),
    message: Type.String({ description: "The text, reassembled if it came in several parts." }),
    understood_as: Type.Optional(UnderstoodAs),
    part: Type.Optional(
      Type.Object(
        { index: Type.Integer(), count: Type.Integer(), reference: Type.Integer() },
        {
          description: "Present on a part whose other parts did not arrive in time; they share its `reference`.",
        },
      ),
    ),
    received_at: Timestamp,
  },
  { title: "ReceivedSmsMessage" },
);

export const SmsList = ListOf(named("AnySmsMessage", Type.Union([SmsMessage, ReceivedSms])));

const Party = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 40, description }));
const TimeFilter = (description: string) => Type.Optional({ ...Timestamp, description });

export const ListQuery = closed({
  ...paging,
  direction: Type.Optional({
    ...Direction,
    description: "Sent messages (default), or those received at your numbers.",
  }),
  status: Type.Optional({ ...SmsStatus, description: "Of outbound messages." }),
  to: Party("The recipient's number; for inbound messages your own number or short code."),
  from: Party("The sender; for inbound messages the person's number."),
  bulk_id: IdFilter(["blk"], "`id` of a bulk: `blk_` and 26 characters. Of outbound messages."),
  reference: Type.Optional({ ...Reference, description: "Your own id of an outbound message." }),
  created_after: TimeFilter("From this time on; for inbound messages by `received_at`."),
  created_before: TimeFilter("Before this time; for inbound messages by `received_at`."),
});

const Replacement = Type.Object(
  { character: Type.String(), index: Type.Integer(), replacement: Type.String() },
  { title: "SmsReplacement" },
);

export const Preview = Type.Object(
  {
    object: Type.Literal("sms_preview"),
    encoding: Encoding,
    segments: Type.Integer(),
    units_used: Type.Integer({ description: "GSM-7 septets or UCS-2 code units." }),
    units_left: Type.Integer({ description: "How many more fit before another segment is needed." }),
    non_gsm_characters: Type.Array(Type.Object({ character: Type.String(), index: Type.Integer() })),
    replacements: Type.Optional(Type.Array(Replacement)),
    suggestion: Type.Optional(
      Type.Object({ message: Type.String(), segments: Type.Integer(), replacements: Type.Array(Replacement) }),
    ),
    price: Price,
  },
  { title: "SmsPreview" },
);

const BulkReference = Type.Optional(
  Type.String({ description: "The bulk's own reference; each message may have one as well." }),
);

const bulkFields = {
  id: Id("blk"),
  object: Type.Literal("bulk"),
  reference: BulkReference,
  price: { ...Price, description: "The total over all its messages." },
};

/** `faultCodes`: all of this gateway. */
export const bulkAnswer = (faultCodes: readonly FaultCode[]) =>
  Type.Object(
    {
      ...bulkFields,
      accepted: Type.Integer(),
      rejected: Type.Array(
        Type.Object(
          {
            index: Type.Integer(),
            to: Type.String(),
            code: named("FaultCode", oneOf(faultCodes)),
            detail: Type.String(),
          },
          { title: "RejectedRecipient" },
        ),
      ),
      leaves_at: LeavesAt,
      messages: Type.Array(
        Type.Object({ id: Id("msg"), to: Type.String(), status: SmsStatus }, { title: "BulkMessage" }),
      ),
    },
    { title: "AcceptedBulk" },
  );

const BulkCounts = Type.Object(
  Object.fromEntries(SMS_STATUSES.map((status) => [status, Type.Optional(Type.Integer())])),
  { title: "BulkCounts", description: "Number of messages in each `status`; a status without messages is absent." },
);

export const BulkSummary = Type.Object(
  {
    ...bulkFields,
    counts: BulkCounts,
    amounts: Type.Object(
      { held: Money, charged: Money, returned: Money },
      { description: "How `price` has been settled so far; the parts add up to its `amount`." },
    ),
    created_at: Timestamp,
    completed_at: Type.Optional(Timestamp),
  },
  { title: "Bulk" },
);

export const BulkCancelled = Type.Object(
  {
    object: Type.Literal("bulk_cancellation"),
    bulk_id: Id("blk"),
    cancelled: Type.Integer(),
    too_late: Type.Integer(),
    returned: Money,
  },
  { title: "BulkCancellation" },
);

/** What can keep any send from being accepted. */
export const ACCEPT_ERRORS = [
  "insufficient_balance",
  "invalid_phone_number",
  "destination_not_supported",
  "message_too_long",
  "sender_not_approved",
  "recipient_opted_out",
  "outside_quiet_hours",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "reference_already_used",
  "quota_exceeded",
  "destination_rate_limited",
  "provider_unavailable",
  "database_unavailable",
  "overloaded",
  "acceptance_unknown",
] as const;

export const smsAuth = (scope: "send" | "read", policy: string) => ({ service: "sms", scope, policy }) as const;
