import { isRecord } from "../vendors/json.ts";
import { json, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { commerce } from "./commerce.ts";
import { type Fate, fateOf, type Stage } from "./delivery-plan.ts";
import { errorInStatus, failure } from "./errors.ts";
import { fill } from "./filling.ts";
import { mediaOf } from "./media.ts";
import { keepMessage, newMessageId } from "./messages.ts";
import { overLimit } from "./rates.ts";
import { type Fault, fault, freeForm, isFault, part, type Screen } from "./rendering.ts";
import { numberSetting, type SimulatedNumber } from "./settings.ts";
import { findTemplate } from "./templates.ts";
import { addressOf, userIdOf } from "./user-ids.ts";
import { tell, tellForged } from "./webhook.ts";
import { isOpen } from "./window.ts";

type Fields = Readonly<Record<string, unknown>>;

/** POST /{phone_number_id}/messages. */
export function send({ body }: VendorRequest, world: VendorWorld, from: SimulatedNumber): VendorAnswer {
  if (!isRecord(body)) return failure(100, "The body is no JSON object");
  if (body.messaging_product !== "whatsapp") return failure(100, "The parameter messaging_product is required.");
  if (body.status === "read") return json({ success: true });
  const reference = body.biz_opaque_callback_data;
  if (reference !== undefined && (typeof reference !== "string" || reference.length > 512))
    return failure(100, "biz_opaque_callback_data has at most 512 characters");
  // Of both the phone counts.
  const byUserId = body.to === undefined ? addressOf(body.recipient) : undefined;
  const to = numberIn(body.to, from) ?? byUserId;
  if (to === undefined) return failure(131008, "The parameter to is required.");
  if (to === from.number) return failure(131021);
  const over = overLimit(world, from.number, to);
  if (over !== undefined) return failure(over);
  const screen = screenOf(world, body);
  if (isFault(screen)) return failure(screen.code, screen.details);
  if (byUserId !== undefined && screen.template && categoryOf(world, screen.template) === "authentication")
    return failure(131062);

  const fate = fateOf(world, to, reference, screen.template === undefined);
  const id = newMessageId();
  const usual = json({
    messaging_product: "whatsapp",
    contacts: [
      byUserId === undefined
        ? { input: String(body.to), wa_id: to }
        : { input: body.recipient, user_id: body.recipient },
    ],
    messages: [{ id, ...(screen.template && { message_status: "accepted" }) }],
  });
  if (fate.isTaken) take(world, { id, from, to, body, screen, fate });
  return typeof fate.answer === "function" ? fate.answer(usual) : (fate.answer ?? usual);
}

/** From here on, without a leading 0, digits hold a country code. */
const INTERNATIONAL_DIGITS = 11;

/**
 * With a plus, or as long as a number with its country code: as it is. What is shorter, or begins with a 0, is taken for a number
 * of the sender's own country, whatever was meant.
 */
function numberIn(to: unknown, from: SimulatedNumber): string | undefined {
  if (typeof to !== "string" && typeof to !== "number") return undefined;
  const digits = String(to).replaceAll(/[\s().-]/g, "");
  if (!/^\+?\d{5,15}$/.test(digits)) return undefined;
  if (digits.startsWith("+")) return digits.slice(1);
  const isWhole = digits.length >= INTERNATIONAL_DIGITS && !digits.startsWith("0");
  return isWhole ? digits : `${from.number.slice(0, 3)}${digits}`;
}

function screenOf(world: VendorWorld, body: Fields): Screen | Fault {
  const hasMedia = (id: string) => mediaOf(world, id) !== undefined;
  const type = String(body.type ?? "text");
  if (type === "interactive") return commerce(part(body.interactive)) ?? freeForm(type, body, hasMedia);
  if (type !== "template") return freeForm(type, body, hasMedia);
  const { name, language, components } = part(body.template);
  const code = String(part(language).code ?? "");
  const template = findTemplate(world, String(name), code);
  return template
    ? fill(template, components, hasMedia)
    : fault(132001, `template name (${String(name)}) does not exist in ${code}`);
}

const categoryOf = (world: VendorWorld, { name, language }: NonNullable<Screen["template"]>): string =>
  (findTemplate(world, name, language)?.category ?? "utility").toLowerCase();

interface Taken {
  readonly id: string;
  readonly from: SimulatedNumber;
  readonly to: string;
  readonly body: Fields;
  readonly screen: Screen;
  readonly fate: Fate;
}

function take(world: VendorWorld, { id, from, to, body, screen, fate }: Taken): void {
  const isFree = screen.template === undefined;
  const stages = isFree && !isOpen(world, from.number, to) ? [tooLate(world)] : (fate.stages ?? usualStages(world));
  const atOf = (word: Stage["status"]) => stages.find(({ status }) => status === word)?.at ?? null;
  const context = part(body.context).message_id;
  const reference = body.biz_opaque_callback_data;
  keepMessage(world, {
    id,
    from: from.number,
    to,
    type: String(body.type ?? "text"),
    ...screen,
    ...(typeof context === "string" && { inReplyTo: context }),
    ...(typeof reference === "string" && { reference }),
    deliveredAt: atOf("delivered") ?? atOf("read"),
    readAt: atOf("read"),
  });
  const category = screen.template ? categoryOf(world, screen.template) : "service";
  const items = stages.map(({ at, status, code }) => ({
    at,
    item: {
      id,
      status,
      timestamp: String(Math.floor(at / 1_000)),
      // Who was written to by an id keeps the phone hidden.
      ...(body.to === undefined ? { recipient_user_id: userIdOf(to) } : { recipient_id: to }),
      ...(typeof reference === "string" && { biz_opaque_callback_data: reference }),
      ...(code !== undefined && { errors: [errorInStatus(code)] }),
      ...((status === "sent" || status === "delivered") && {
        pricing: {
          billable: !isFree,
          pricing_model: "PMP",
          type: isFree ? "free_customer_service" : "regular",
          category,
        },
      }),
    },
  }));
  callBack(world, from, items, fate.callbacks);
}

/** More than 24 hours since the person wrote: the network takes it and then fails it. */
const tooLate = (world: VendorWorld): Stage => ({
  at: world.now + numberSetting(world, "sentMs"),
  status: "failed",
  code: 131047,
});

function usualStages(world: VendorWorld): readonly Stage[] {
  const at = (name: "sentMs" | "deliveredMs" | "readMs") => world.now + numberSetting(world, name);
  return [
    { at: at("sentMs"), status: "sent" },
    { at: at("deliveredMs"), status: "delivered" },
    ...(world.setting("reads") === true ? [{ at: at("readMs"), status: "read" } as const] : []),
  ];
}

interface Item {
  readonly at: number;
  readonly item: object;
}

const LATE_MS = 4_000;

/** One webhook for each status, as the scenario distorts them. */
function callBack(world: VendorWorld, from: SimulatedNumber, items: readonly Item[], how: Fate["callbacks"]): void {
  const one = ({ at, item }: Item, laterMs = 0) => tell(world, at + laterMs, from, { statuses: [item] });
  switch (how) {
    case "missing":
      return;
    case "late":
      for (const item of items) one(item, LATE_MS);
      return;
    case "twice":
    case "replayed":
      for (const item of items) {
        one(item);
        one(item, how === "twice" ? 0 : LATE_MS);
      }
      return;
    case "out_of_order": {
      // The last first, then all of them in one call, the other way round.
      const last = items.at(-1);
      if (last) one(last);
      tell(world, last?.at ?? world.now, from, { statuses: items.toReversed().map(({ item }) => item) });
      return;
    }
    case "forged":
      for (const { at, item } of items) {
        tellForged(world, at, from, { statuses: [{ ...item, status: "failed", errors: [errorInStatus(131026)] }] });
        one({ at, item });
      }
      return;
    default:
      for (const item of items) one(item);
  }
}
