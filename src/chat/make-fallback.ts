import { type ChatAddress, isUserId } from "../kernel/chat-address.ts";
import { type Kobo, parseKobo } from "../kernel/kobo.ts";
import { type PriceView, priceOf } from "../kernel/money.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { MakeFallbackSms } from "../ports/sms-fallback.ts";
import type { ChatCaller, IsOptedOut } from "./caller.ts";
import type { MakeContent } from "./content.ts";
import type { ChatCategory, StoredFallback } from "./fallback.ts";
import type { ChatNumber } from "./numbers.repo.ts";
import type { Variables } from "./template.ts";

/** What is asked to be sent instead: one of the two. */
export interface FallbackRequest {
  readonly template?: { readonly name: string; readonly language: string; readonly variables?: Variables };
  readonly sms?: { readonly message: string; readonly from?: string };
}

/** The message that it stands in for. */
interface First {
  readonly to: ChatAddress;
  readonly number: ChatNumber;
  readonly category: ChatCategory;
}

export interface MakeFallbackOptions {
  readonly contentOf: MakeContent;
  readonly makeSms: MakeFallbackSms;
  readonly isOptedOut: IsOptedOut;
  readonly vatBasisPoints: number;
}

/** `isOtherwiseSound`: nothing else is wrong with the request, so that a link is worth a look. Errors: with their places in the body. */
export type MakeFallback = (
  caller: ChatCaller,
  first: First,
  request: FallbackRequest,
  isOtherwiseSound: boolean,
) => Promise<Result<StoredFallback, readonly Fault[]>>;

/** Checks a fallback as strictly as if it were sent now: it must not turn out wrong when it is needed. */
export function makeFallbackMaker({
  contentOf,
  makeSms,
  isOptedOut,
  vatBasisPoints,
}: MakeFallbackOptions): MakeFallback {
  const chatPrice = (caller: ChatCaller, category: ChatCategory): PriceView =>
    priceOf(parseKobo(caller.plan.prices[category]), vatBasisPoints);

  return async (caller, first, request, isOtherwiseSound) => {
    const { template, sms } = request;
    if (template === undefined && sms === undefined) return refuse([ONE_OF_TWO]);
    if (template !== undefined && sms !== undefined) return refuse([NOT_BOTH]);
    const message_price = chatPrice(caller, first.category);
    const isOut = (channel: "chat" | "sms") => isOptedOut({ ...caller, address: first.to, channel });
    if (sms) {
      if (isUserId(first.to)) return refuse([NO_PHONE]);
      const route = first.category === "marketing" ? "promotional" : "transactional";
      const made = await makeSms(caller, { to: first.to, ...sms, route });
      if (!made.ok) return refuse(made.error.map(placedUnder("/fallback/sms")));
      if (route === "promotional" && (await isOut("sms"))) return refuse([{ ...OPTED_OUT, pointer: "/fallback/sms" }]);
      return ok({
        via: "sms",
        sms: made.value.sms,
        ...(made.value.quota && { quota: made.value.quota }),
        price: priceOf(made.value.priceKobo, vatBasisPoints),
        message_price,
      });
    }
    const { name, language, variables } = template!;
    const wanted = { kind: "template", template: name, language, ...(variables && { variables }) } as const;
    const made = await contentOf(caller, first.number, wanted, isOtherwiseSound);
    if (!made.ok) return refuse(made.error.map(placedInTemplate));
    const { content, category, ...files } = made.value;
    if (content.type !== "template") throw new Error("a template was asked for");
    if (category === "marketing" && (await isOut("chat"))) return refuse([OPTED_OUT]);
    return ok({ via: "chat", content, category, ...files, price: chatPrice(caller, category), message_price });
  };
}

/** What is held for both. */
export const heldFor = ({ price, message_price }: StoredFallback): Kobo => {
  const held = parseKobo(message_price.amount);
  const instead = parseKobo(price.amount);
  if (instead > held) return instead;
  return held;
};

const placedUnder = (place: string) => (fault: Fault) => ({ ...fault, pointer: `${place}${fault.pointer}` });

/** Where a send has its `template`, a fallback has the template's `name`. */
const placedInTemplate = (fault: Fault): Fault =>
  placedUnder("/fallback/template")(fault.pointer === "/template" ? { ...fault, pointer: "/name" } : fault);

const ONE_OF_TWO: Fault = {
  pointer: "/fallback",
  code: "required",
  detail: "Give one of `template` and `sms`.",
};
const NOT_BOTH: Fault = {
  pointer: "/fallback/sms",
  code: "not_together",
  detail: "Give one of `template` and `sms`, not both.",
};
const NO_PHONE: Fault = {
  pointer: "/fallback/sms",
  code: "invalid_phone_number",
  detail: "An SMS needs a phone number, and `to` is a user id. Give the phone in `to`, or a template as the fallback.",
};
const OPTED_OUT: Fault = {
  pointer: "/fallback/template",
  code: "recipient_opted_out",
  detail:
    "The recipient wants no promotional messages from you: see GET /sms/suppressions. Other templates still reach them.",
};
