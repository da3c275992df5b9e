import { addressKey } from "../kernel/address.ts";
import { encodeId } from "../kernel/ids.ts";
import { type Fault, type Refusal, refusal } from "../kernel/refusal.ts";
import { senderView } from "../ports/sms-payload.ts";
import type { ReceivedFilter, ReceivedSms } from "./inbound.repo.ts";

/** What people write by SMS, as subscribers see it and ask for it. */

/** A number of nine digits or more shows as E.164; short codes and names as they are. */
export const receivedView = (received: ReceivedSms) => ({
  id: encodeId("msg", received.id),
  object: "sms" as const,
  direction: "inbound" as const,
  mode: received.mode,
  from: senderView(received.sender),
  to: senderView(received.recipient),
  message: received.body,
  ...(received.understoodAs !== null && { understood_as: received.understoodAs }),
  ...(received.part !== null && { part: { ...received.part } }),
  received_at: received.receivedAt.toISOString(),
});

/** Filters that only messages that were sent can fit. */
const OUTBOUND_ONLY = ["status", "bulk_id", "reference"] as const;

/** Names each filter that no inbound message could ever fit: an empty list would look like an answer. */
export function outboundFilters(asked: Readonly<Record<string, unknown>>): Refusal | undefined {
  const errors = OUTBOUND_ONLY.filter((parameter) => asked[parameter] !== undefined).map(
    (parameter): Fault => ({
      parameter,
      code: "not_allowed_value",
      detail: `\`${parameter}\` is of outbound messages: leave it out with \`direction=inbound\`.`,
    }),
  );
  const [first, ...more] = errors;
  if (first === undefined) return undefined;
  const detail = more.length === 0 ? first.detail : `The query has ${errors.length} faults; each is in \`errors\`.`;
  return refusal("validation_failed", detail, { errors });
}

/** Both ends may be a number in any form, a short code or a name. */
export const endsOf = ({
  from,
  to,
}: {
  readonly from?: string;
  readonly to?: string;
}): Pick<ReceivedFilter, "sender" | "recipient"> => ({
  ...(from !== undefined && { sender: addressKey(from) }),
  ...(to !== undefined && { recipient: addressKey(to) }),
});
