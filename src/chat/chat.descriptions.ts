import { CHAT_STEPS } from "./chat.steps.ts";

/** What the reference says about each operation, in Markdown. */

/** By status: what it means for who sends. A test holds it equal to the table of steps. */
export const STATUS_MEANINGS: Readonly<Record<string, string>> = {
  queued: "waits for its turn",
  sending: "is being handed to the vendor, or the vendor has it and has not said more",
  sent: "the vendor sent it on to the phone",
  delivered: "the phone has it, and it is charged",
  read: "the person read it",
  failed: "it was not delivered, nor was a fallback, and costs nothing; `failure` says why",
  unknown: "the vendor's answer was lost; its report, or a day without one, decides",
};

const statuses = Object.entries(CHAT_STEPS.states)
  .map(([state, { final }]) => `| \`${state}\` | ${STATUS_MEANINGS[state]} | ${final ? "yes" : "no"} |`)
  .join("\n");

const STATUSES = `| status | means | final |
| --- | --- | --- |
${statuses}

\`delivered\` may be skipped: who has the chat open reads at once. A final status never changes, but that \`delivered\` may become \`read\`.`;

const REPEAT = `**To repeat it safely**, send an \`Idempotency-Key\`, or a \`reference\` in the body, and the same again with every repeat, whatever the first
answer was. What was accepted is then answered from its order, with \`Idempotent-Replayed: true\`. A refusal spends no key.
What the gateway does when the vendor's answer is lost is up to \`on_ambiguous\`.`;

const FALLBACK = `**To reach the recipient all the same**, add a \`fallback\`: a template or an SMS that is sent instead, at once when the window is closed, or when the message is
certain not to be delivered. It is checked now. The dearer of the two is held, and what is delivered is charged: \`fallback.used\` says which.`;

const MONEY = "The price is held now, taken when the message is `delivered` or `read`, and returned when it fails.";

const IN_WINDOW = `Only within 24 hours after the recipient last wrote to the number that you write from; otherwise 409 \`chat_window_closed\`, which says
until when the window was open. At any other time send a template, or name a fallback.`;

export const TEXT = `Accepts one text and answers at once; it then leaves by itself.

${IN_WINDOW}

${FALLBACK}

${REPEAT}

${MONEY}

${STATUSES}`;

export const SEND = "The same as `POST /chat/send/text`.";

export const TEMPLATE = `Accepts one message made from an approved template, at any time. The variables are checked against the template first: a wrong number, an empty one,
a line break are refused here, at once and for free, with the place of each. In test mode \`order_update\` and others are there to try.

${FALLBACK}

${REPEAT}

${MONEY} It goes by the template's category.`;

export const MEDIA = `Accepts a picture, a film or a document, by its address or by the \`media_id\` of an upload. The file is looked at before it is accepted: size, type by its
bytes, and that its address is a public one.

${IN_WINDOW}

${FALLBACK}

${REPEAT}

${MONEY}`;

export const INTERACTIVE = `Accepts a text with something to press under it: up to three buttons, a list of up to ten rows, or a link. What was pressed comes back as an inbound
message with its \`choice\`.

${IN_WINDOW}

${FALLBACK}

${REPEAT}

${MONEY}`;

export const UPLOAD = `Stores a file with the vendor, to be sent by its \`media_id\` as often as you like. One part named \`file\`, as \`curl -F file=@picture.png\` sends it. The type is
told by the bytes and must be the one that the part says. For uploads of another than the first of your numbers' vendors, name the number in \`?from=\`.`;

export const DOWNLOAD = `The file that came with an inbound message, by the message's id, while it is kept: 30 days. \`media.status\` of the message says whether it is there.`;

export const STATUS = `One message that you sent, with everything that happened to it.

${STATUSES}`;

export const WINDOW =
  "Whether the recipient may be written to freely just now, and until when. The window belongs to the number that you write from.";

export const TEMPLATES =
  "The templates of your numbers, with what each leaves open, one entry a placeholder. The copy is renewed every hour, and when a template is named that it does not have.";

export const LIST = `Messages in both directions, newest first. Filters narrow it together. For the next page send \`next_cursor\` as \`after\`, with the same filters.`;
