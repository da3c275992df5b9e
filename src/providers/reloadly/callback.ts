import type { CallbackAnswer, CallbackGate, CallbackRequest, ProviderSink } from "../../ports/provider.ts";
import { fieldsOf, readAnswer } from "./answer.ts";
import { isReference } from "./reference.ts";
import type { ReloadlySettings } from "./settings.ts";
import { isSigned, SIGNATURE_HEADER, TIMESTAMP_HEADER } from "./wire/signature.ts";

const BODY_BYTES_MAX = 64 * 1024;

const say = (status: number): CallbackAnswer => ({ status, contentType: "application/json", body: "{}" });

export const gateFor = ({ webhookSecret }: Pick<ReloadlySettings, "webhookSecret">): CallbackGate => ({
  bytesMax: BODY_BYTES_MAX,
  look: ({ headers }) => (webhookSecret && headers[SIGNATURE_HEADER] === undefined ? say(401) : undefined),
});

/**
 * A webhook of the vendor: `{ type, data: { transactionId, customIdentifier, status } }`. Even one that is rightly signed only
 * shows that the vendor has the transaction: what became of it is asked for before any money moves, so neither a repeat nor a leaked
 * secret can do harm but to hold it, and the age of the signature does not matter. Without a secret of ours it shows nothing; with a
 * wrong signature it is refused.
 */
export async function takeCallback(
  { headers, body }: CallbackRequest,
  { webhookSecret, webhookSignature }: Pick<ReloadlySettings, "webhookSecret" | "webhookSignature">,
  sink: Pick<ProviderSink, "hint">,
): Promise<CallbackAnswer> {
  if (body.length > BODY_BYTES_MAX) return say(413);
  const header = (name: string): string => {
    const value = headers[name];
    return typeof value === "string" ? value : "";
  };
  const signature = header(SIGNATURE_HEADER);
  if (webhookSecret && !isSigned(webhookSecret, body, header(TIMESTAMP_HEADER), signature, webhookSignature))
    return say(401);
  const event = fieldsOf(readAnswer(200, body.toString("utf8")).body);
  const { customIdentifier } = fieldsOf(event.data);
  // Other events, and top-ups that somebody made without us, are none of our business.
  if (event.type === "airtime_transaction.status" && isReference(customIdentifier))
    await sink.hint(customIdentifier, webhookSecret !== "");
  return say(200);
}
