import { CHAT_STEPS } from "./chat.steps.ts";

/** What the reference says about each operation, in Markdown. */

/** By status: what it means for who sends. A test holds it equal to the table of steps. */
export const STATUS_MEANINGS: Readonly<Record<string, string>> = {
  queued: "waiting in the queue",
  sending: "being handed to the vendor, or accepted by it without further news",
  sent: "the vendor sent it on to the phone",
  delivered: "the phone has it, and it is charged",
  read: "the person read it",
  failed: "it was not delivered, nor was a fallback, and costs nothing; `failure` says why",
  unknown: "the vendor's answer was lost; a report, or a day without one, will decide",
};

const statuses = Object.entries(CHAT_STEPS.states)
  .map(([state, { final }]) => `| \`${state}\` | ${STATUS_MEANINGS[state]} | ${final ? "yes" : "no"} |`)
  .join("\n");

const STATUSES = `| status | means | final |
| --- | --- | --- |
${statuses}

\`delivered\` may be skipped, when the chat is open on the recipient's screen. A final status never changes, except from \`delivered\` to \`read\`.`;

const REPEAT = `**To repeat it safely**, send an \`Idempotency-Key\`, or a \`reference\` in the body, and the same again with every repeat, whatever the first
answer was. An accepted message is then answered from its order, with \`Idempotent-Replayed: true\`. A refusal uses up no key.
\`on_ambiguous\` decides what happens when the vendor's answer is lost.`;

const FALLBACK = `**To reach the recipient anyway**, add a \`fallback\`: a template or an SMS, sent at once if the window is closed, or when delivery of the message has
certainly failed. It is validated now. The higher price of the two is held, and the delivered message is charged: \`fallback.used\` says which.`;

const MONEY = "The price is held now, taken when the message is `delivered` or `read`, and returned when it fails.";

const IN_WINDOW = `Allowed only within 24 hours of the recipient's last message to your number; otherwise 409 \`chat_window_closed\`, which says
when the window closed. At any other time send a template, or add a fallback.`;

export const TEXT = `Accepts one text and answers at once; sending follows in the background.

${IN_WINDOW}

${FALLBACK}

${REPEAT}

${MONEY}

${STATUSES}`;

export const SEND = "The same as `POST /chat/send/text`.";

export const TEMPLATE = `Accepts one message made from an approved template, at any time. The variables are checked against the template first: a wrong number of variables, an empty one
or a line break is refused at once and free of charge, with its location. Test mode has sample templates such as \`order_update\`.

${FALLBACK}

${REPEAT}

${MONEY} It depends on the template's category.`;

export const MEDIA = `Accepts an image, a video or a document, by its address or by the \`media_id\` of an upload. The file is checked first: its size, its type by its
bytes, and that its address is public.

${IN_WINDOW}

${FALLBACK}

${REPEAT}

${MONEY}`;

export const INTERACTIVE = `Accepts a text with up to three buttons, a list of up to ten rows, or a link. The recipient's choice is received as an inbound
message with a \`choice\`.

${IN_WINDOW}

${FALLBACK}

${REPEAT}

${MONEY}`;

export const UPLOAD = `Uploads a file to the vendor, to be sent by its \`media_id\` any number of times. One part named \`file\`, as \`curl -F file=@picture.png\` sends it. The type is
detected from the bytes and must match the part's. If your numbers are with several vendors, choose one by a number in \`?from=\`.`;

export const DOWNLOAD = `The file of an inbound message, by the message's id, kept for 30 days. The message's \`media.status\` says whether it is available.`;

export const STATUS = `A message that you sent, with its timeline.

${STATUSES}`;

export const WINDOW =
  "Whether free-form messages to the recipient are allowed now, and until when. Each of your numbers has its own window.";

export const TEMPLATES =
  "The templates of your numbers, with one entry for each placeholder. The copy is renewed every hour, and when a message names a template that it lacks.";

export const LIST = `Messages in both directions, newest first. Filters combine. For the next page send \`next_cursor\` as \`after\`, with the same filters.`;
