import type { Log } from "../../kernel/log.ts";
import { loggedCode } from "../../kernel/logged-code.ts";
import type { InSlices, Steps } from "../../kernel/slices.ts";
import type { CallbackAnswer, CallbackGate, CallbackRequest, ProviderSink } from "../../ports/provider.ts";
import { type Fields, fieldsOf } from "../../vendor-text/fields.ts";
import { wordOf } from "../../vendor-text/words.ts";
import { errorOf } from "./errors.ts";
import { codeOf } from "./graph-error.ts";
import { inboundOf } from "./inbound.ts";
import { isNotice, noticesIn } from "./notices.ts";
import { namesIn } from "./people.ts";
import type { WhatsappSettings } from "./settings.ts";
import { errorIn, reportOf, STATUSES } from "./statuses.ts";
import { isSame, isSigned, SIGNATURE_HEADER } from "./wire/signature.ts";
import { listOf } from "./words.ts";

export interface CallbackDeps {
  readonly settings: Pick<WhatsappSettings, "appSecret" | "verifyToken" | "numbers">;
  readonly sink: Pick<ProviderSink, "report" | "inbound">;
  readonly log: Log;
  readonly inSlices: InSlices;
  readonly receivedAt: Date;
}

const say = (status: number): CallbackAnswer => ({ status, contentType: "application/json", body: "{}" });

/** Up to a thousand messages and states in one call, of about 3 MB. Source: Meta, webhooks, “Payload size”. */
export const WHATSAPP_GATE: CallbackGate = {
  bytesMax: 3 * 1024 * 1024,
  look: ({ method, headers }) => (method === "GET" || headers[SIGNATURE_HEADER] !== undefined ? undefined : say(401)),
};

/** Meta calls: once with GET to try the address, then with POST for all that happens. */
export async function takeCallback(request: CallbackRequest, deps: CallbackDeps): Promise<CallbackAnswer> {
  if (request.method === "GET") return verify(request.path, deps.settings.verifyToken);
  const signature = request.headers[SIGNATURE_HEADER];
  // Over the raw bytes: Meta escapes in a way of its own, so JSON that was read and written again has another signature.
  if (typeof signature !== "string" || !isSigned(deps.settings.appSecret, request.body, signature)) return say(401);
  return take(parse(request.body, deps.log), deps);
}

/** Has no signature. The challenge is digits; more than that is not repeated to anybody. */
function verify(path: string, verifyToken: string): CallbackAnswer {
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  const challenge = query.get("hub.challenge") ?? "";
  const isMeta = query.get("hub.mode") === "subscribe" && isSame(query.get("hub.verify_token") ?? "", verifyToken);
  if (!isMeta || !/^[\w-]{1,200}$/.test(challenge)) return say(403);
  return { status: 200, contentType: "text/plain", body: challenge };
}

/**
 * Every entry, every change and every item, in slices: a call may have a thousand, and whoever sends is served between them. The sink
 * commits them together. Taken only when all is stored; if anything is not, Meta sends the whole again (for up to seven days), and what was
 * stored is known by its id.
 */
async function take(body: Fields, deps: CallbackDeps): Promise<CallbackAnswer> {
  const stored: Promise<string | undefined>[] = [];
  await deps.inSlices(takeEach(body, deps, (one) => stored.push(one.then(() => undefined, String))));
  const failed = (await Promise.all(stored)).filter((error) => error !== undefined);
  if (failed.length === 0) return say(200);
  deps.log.error(
    { failed: failed.length, of: stored.length, error: failed[0] },
    "a callback of WhatsApp was not stored whole; it comes again",
  );
  return say(500);
}

function* takeEach(body: Fields, deps: CallbackDeps, store: (one: Promise<void>) => void): Steps<void> {
  for (const { field, value: told } of changesIn(body)) {
    const value = fieldsOf(told);
    yield;
    if (isNotice(field))
      for (const notice of noticesIn(field, value, deps.settings.numbers, deps.receivedAt)) {
        store(deps.sink.inbound(notice));
        yield;
      }
    if (field !== "messages") continue;
    const names = namesIn(value);
    for (const status of itemsIn(value, "statuses")) {
      store(takeStatus(status, deps));
      yield;
    }
    for (const message of itemsIn(value, "messages")) {
      store(takeMessage(message, value, names, deps));
      yield;
    }
    for (const error of itemsIn(value, "errors"))
      deps.log.warn({ code: loggedCode(codeOf(error)) }, "WhatsApp tells an error");
  }
}

async function takeStatus(status: Fields, { sink, log, receivedAt }: CallbackDeps): Promise<void> {
  const report = reportOf(status, receivedAt);
  if (!report) {
    const word = wordOf(status.status);
    if (!Object.hasOwn(STATUSES, word))
      log.warn({ status: loggedCode(word) }, "a status of WhatsApp is not known; it is ignored");
    return;
  }
  const code = report.status === "failed" ? codeOf(errorIn(status)) : "";
  const meaning = errorOf(code)?.meaning;
  if (meaning && "alarm" in meaning)
    log.error({ message: report.providerReference, code }, `WhatsApp: ${errorOf(code)?.says} (#${code})`);
  await sink.report(report);
}

async function takeMessage(
  message: Fields,
  value: Fields,
  names: ReadonlyMap<string, string>,
  { settings, sink, log, receivedAt }: CallbackDeps,
): Promise<void> {
  const inbound = inboundOf(message, value, settings.numbers, receivedAt, names);
  if (inbound) await sink.inbound(inbound);
  else
    log.warn({ type: loggedCode(wordOf(message.type)) }, "a message of WhatsApp has no id or no sender; it is ignored");
}

/** Other fields of the account (template states, alerts, …) come here too; they are not for us. */
const changesIn = ({ object, entry }: Fields): readonly Fields[] =>
  object === "whatsapp_business_account" ? listOf(entry).flatMap(({ changes }) => listOf(changes)) : [];

const itemsIn = (value: Fields, key: "statuses" | "messages" | "errors"): readonly Fields[] => listOf(value[key]);

function parse(body: Buffer, log: Log): Fields {
  try {
    const read: unknown = JSON.parse(body.toString("utf8"));
    if (cutBelow(read, DEPTH_MAX))
      log.warn({ depth: DEPTH_MAX }, "a callback of WhatsApp is nested too deep; the rest is cut");
    return fieldsOf(read);
  } catch {
    // Signed, and no JSON: a repeat would be no better.
    return {};
  }
}

/** Meta's own callbacks are some ten levels deep; what is deeper can neither be written out nor stored, however often it comes. */
const DEPTH_MAX = 64;

/** Puts null in the place of objects and lists below a depth, and says whether there were any. Level by level: the stack has an end. */
function cutBelow(value: unknown, depthMax: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    const holders = level.filter((one): one is Record<string, unknown> => typeof one === "object" && one !== null);
    const inner = holders.flatMap((holder) => Object.entries(holder).map(([key, held]) => ({ holder, key, held })));
    const nested = inner.filter(({ held }) => typeof held === "object" && held !== null);
    if (depth === depthMax) {
      for (const { holder, key } of nested) holder[key] = null;
      return nested.length > 0;
    }
    level = nested.map(({ held }) => held);
  }
  return false;
}
