import { SMS_STEPS } from "./sms.steps.ts";

/** What the reference says about each operation, in Markdown. */

/** By status: what it means for who sends. A test holds it equal to the table of steps. */
export const STATUS_MEANINGS: Readonly<Record<string, string>> = {
  scheduled: "waiting for its `send_at`, or for the hours in which promotional messages may leave",
  queued: "waiting in the queue",
  sending: "being handed to a network",
  sent: "the network has it, and it is charged; the handset has not confirmed it yet",
  delivered: "the handset confirmed it",
  undelivered: "the network tried and gave up",
  expired: "its validity ran out first",
  rejected: "the network refused it",
  failed: "certainly not handed to a network",
  cancelled: "you cancelled it before it left",
  unknown: "the vendor's answer was lost; a report or the end of the validity will decide",
};

const statuses = Object.entries(SMS_STEPS.states)
  .map(([state, { final }]) => `| \`${state}\` | ${STATUS_MEANINGS[state]} | ${final ? "yes" : "no"} |`)
  .join("\n");

const STATUSES = `| status | means | final |
| --- | --- | --- |
${statuses}

A final status never changes.`;

const REPEAT = `**To repeat it safely**, send an \`Idempotency-Key\`, or a \`reference\` in the body, and the same again with every repeat, whatever the first
answer was: a timeout, a 5xx, none at all. An accepted message is then answered from its order, with \`Idempotent-Replayed: true\`; nothing
is accepted or charged twice. A refusal uses up no key. \`on_ambiguous\` decides what happens when the network's answer is lost.`;

export const SEND = `Accepts one message and answers at once; sending follows in the background. Two fields are enough: \`to\` and \`message\`.

${REPEAT}

The price is held now, charged when the status becomes \`sent\`, and returned if the message ends before that; \`charge\` has the current state. \`price.tax\` is the VAT
contained in \`price.amount\`, not added to it.

${STATUSES}`;

export const BULK = `Either one text for many numbers (\`to\`, \`message\`) or a text each (\`messages\`). Faulty and repeated recipients are refused individually, in \`rejected\`
with their index; the rest of the bulk is accepted as a whole or not at all.

${REPEAT}

It counts once against the limit of bulk calls; its recipients count against the plan's recipients a minute and messages a month. A body over
64 KiB with more recipients than remain is refused unread; a smaller one only if its acceptable recipients are too many.

An account's bulks are processed one after another: send the next once the last is answered. A bulk that waits for more than 20 seconds is refused with
\`overloaded\` and creates no message. Messages of an earlier request with the same key stand.`;

export const BULK_STATUS =
  "The number of messages in each status, the total price, and how much of it is held, charged and returned.";

export const BULK_CANCEL = `Cancels every message of the bulk that is not being sent yet, and returns its price. Messages already sent are counted in \`too_late\` and charged as
usual. A repeat is harmless, and counts earlier cancellations as too late.`;

export const STATUS = `A message that you sent, with its timeline.

${STATUSES}

\`report_overdue\` is present while a message is still \`sent\` although a report was due; the network may never send one. \`failure\` explains a
failure, in \`code\` for your program and in \`detail\` for people.`;

export const CANCEL = `Cancels a message that is \`scheduled\` or \`queued\` and returns its price. A message already being sent, or sent, is refused with \`invalid_state\`, with its
status in the refusal.`;

export const PREVIEW = `The encoding, segment count and price of a text. One character outside the GSM alphabet makes the whole message UCS-2, with 70 characters in a segment
instead of 160: \`non_gsm_characters\` lists them, and \`suggestion\` is the text that \`smart_encoding\` would send, if that helps. Nothing is
sent or charged.`;

export const LIST = `Messages of this account and mode, newest first: those you sent, or with \`direction=inbound\` those received at the numbers that the
operator assigned to you. Inbound messages have no \`status\`, \`bulk_id\` or \`reference\`, so those filters are refused with it. \`understood_as\` is
the keyword that was recognised. A message stays with the account that had the number when it was received.

 Filters combine. For the next page send \`next_cursor\` as \`after\`, with the same filters. With \`from\` alone a page of sent messages may be short or
empty although \`has_more\` is true, as it is taken from the next 5,000 orders of the account: go on with \`next_cursor\`, or give \`created_after\` and
\`created_before\`.`;
