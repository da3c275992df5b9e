import { SMS_STEPS } from "./sms.steps.ts";

/** What the reference says about each operation, in Markdown. */

/** By status: what it means for who sends. A test holds it equal to the table of steps. */
export const STATUS_MEANINGS: Readonly<Record<string, string>> = {
  scheduled: "waits for its `send_at`, or for the hours in which promotional messages may leave",
  queued: "waits for its turn",
  sending: "is being handed to a network",
  sent: "the network has it, and it is charged; the handset has not confirmed it yet",
  delivered: "the handset confirmed it",
  undelivered: "the network tried and gave up",
  expired: "its validity ran out first",
  rejected: "the network refused it",
  failed: "it was not handed to a network, as far as can be proven",
  cancelled: "you cancelled it before it left",
  unknown: "the vendor's answer was lost; a report or the end of its validity decides",
};

const statuses = Object.entries(SMS_STEPS.states)
  .map(([state, { final }]) => `| \`${state}\` | ${STATUS_MEANINGS[state]} | ${final ? "yes" : "no"} |`)
  .join("\n");

const STATUSES = `| status | means | final |
| --- | --- | --- |
${statuses}

A final status never changes.`;

const REPEAT = `**To repeat it safely**, send an \`Idempotency-Key\`, or a \`reference\` in the body, and the same again with every repeat, whatever the first
answer was: a timeout, a 5xx, none at all. What was accepted is then answered from its order, with \`Idempotent-Replayed: true\`; nothing
is accepted or charged twice. A refusal spends no key. What the gateway does when the network's answer is lost is up to \`on_ambiguous\`.`;

export const SEND = `Accepts one message and answers at once; it then leaves by itself. Two fields are enough: \`to\` and \`message\`.

${REPEAT}

The price is held now, charged when the status becomes \`sent\`, and returned by every end before that: \`charge\` says which. \`price.tax\` is the VAT
contained in \`price.amount\`, not added to it.

${STATUSES}`;

export const BULK = `Either one text for many numbers (\`to\`, \`message\`) or a text each (\`messages\`). Faulty and repeated recipients are refused alone, in \`rejected\`
with their index, whatever is wrong with their number or text; apart from them a bulk is accepted whole or not at all.

${REPEAT}

It counts once against the limit of bulk calls; its recipients count against the plan's recipients a minute and messages a month. Of a body over
64 KiB with more recipients than are left nothing is read; a smaller one is refused only if those that are acceptable are too many.

An account's bulks are worked on one after another: send the next one once the last is answered. One that had to wait for more than 20 seconds is refused with
\`overloaded\`; that request made no message. What an earlier one with the same key made stands.`;

export const BULK_STATUS =
  "How many messages of the bulk are in each status, what it costs, and what has become of that: held, charged, returned.";

export const BULK_CANCEL = `Cancels every message of the bulk that no dispatcher has taken yet and returns its price. What has left is in \`too_late\` and is charged as
usual. A repeat does no harm, and counts what was cancelled before as too late.`;

export const STATUS = `One message that you sent, with everything that happened to it.

${STATUSES}

\`report_overdue\` is there while a message is still \`sent\` and the network should have reported: it may never do. \`failure\` says why it did not end
well, in \`code\` for your program and in \`detail\` for people.`;

export const CANCEL = `Cancels a message that is \`scheduled\` or \`queued\` and returns its price. One that is being sent, or was, is refused with \`invalid_state\`, and its status
stands in the refusal.`;

export const PREVIEW = `How a text would be encoded, counted and priced. One character outside the GSM alphabet makes the whole message UCS-2, with 70 characters in a segment
instead of 160: \`non_gsm_characters\` names each, and \`suggestion\` is what \`smart_encoding\` would send instead, when that helps. Nothing is
sent or charged.`;

export const LIST = `Messages of this account and mode, newest first: what you sent, or with \`direction=inbound\` what people wrote to the numbers that the
operator assigned to you. Inbound messages have no \`status\`, \`bulk_id\` or \`reference\`; filters of that name are refused with them. \`understood_as\` says
what one was taken for. A message belongs to the account that had the number when it came, and stays there.

 Filters narrow it together. For the next page send \`next_cursor\` as \`after\`, with the same filters.`;
