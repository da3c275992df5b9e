import { timingSafeEqual } from "node:crypto";
import type { CallbackAnswer, CallbackGate, CallbackRequest, ProviderSink } from "../../ports/provider.ts";
import { fieldsOf, readFields } from "../../vendor-text/fields.ts";
import { isRequestId } from "./reference.ts";

/** A price list of every plan is some ten kilobytes. */
const BODY_BYTES_MAX = 256 * 1024;

/** What the vendor must read, else it calls again, up to five times. */
const TAKEN: CallbackAnswer = {
  status: 200,
  contentType: "application/json",
  body: JSON.stringify({ response: "success" }),
};
const NOT_HERE: CallbackAnswer = { status: 404, contentType: "application/json", body: "{}" };

export const gateFor = (secret: string): CallbackGate => ({
  bytesMax: BODY_BYTES_MAX,
  look: ({ path }) => (isAt(path, secret) ? undefined : NOT_HERE),
});

const isAt = (path: string, secret: string): boolean =>
  secret === "" || isSame(path.replace(/^\/|[/?].*$/g, ""), secret);

/**
 * A webhook of the vendor. It has no signature, no time and no id, so it is a hint: the attempt it names is asked about. What
 * can't be read or is not ours is taken too, as a repeat would be no better.
 */
export async function takeCallback(
  request: CallbackRequest,
  secret: string,
  sink: Pick<ProviderSink, "hint" | "plansChanged">,
): Promise<CallbackAnswer> {
  if (!isAt(request.path, secret)) return NOT_HERE;
  if (request.body.length > BODY_BYTES_MAX) return TAKEN;
  const body = readFields(request.body.toString("utf8")) ?? {};
  if (body.type === "variations-update") sink.plansChanged();
  if (body.type === "transaction-update") {
    const { requestId } = fieldsOf(body.data);
    if (isRequestId(requestId)) await sink.hint(requestId);
  }
  return TAKEN;
}

const isSame = (given: string, secret: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
};
