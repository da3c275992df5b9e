import type { Catalogue } from "../catalogue/index.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId } from "../kernel/ids.ts";
import { type Kobo, taxContained } from "../kernel/kobo.ts";
import { pricedAt } from "../kernel/money.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Orders } from "../orders/orders.ts";
import type { TvProvider } from "../ports/cable-payload.ts";
import { isSameCustomer } from "../purchases/customer-name.ts";
import type { PurchaseCaller, Quote } from "../purchases/purchase.ts";
import type { BouquetFacts } from "./bouquets.ts";
import { type PurchaseRequest, type ReadChange, type ReadRenewal, readPurchase } from "./cable.reading.ts";
import type { CablePlan } from "./cable.settings.ts";
import { ABILITIES, type AskedCard, cablePrice, expiresAt, parseSmartcardNumber, type Verification } from "./cable.ts";
import * as refused from "./refused.ts";
import type { Smartcards } from "./smartcards.service.ts";

export interface CableCaller extends PurchaseCaller {
  readonly plan: CablePlan;
}

/** Cable TV: whose smartcard it is, and what a purchase costs. Moves nothing. */
export interface Cable {
  verify(caller: Pick<CableCaller, "accountId" | "mode">, card: VerifyRequest): Promise<Result<Verification>>;
  /**
   * Checks everything about a purchase. A renewal's card is verified anew each time, as its amount is the TV provider's word of the
   * moment; a change takes a fresh verification at its word.
   */
  quote(caller: CableCaller, request: PurchaseRequest): Promise<Result<Quote>>;
}

export interface VerifyRequest {
  readonly smartcard_number: string;
  readonly provider: TvProvider;
}

export interface CableOptions {
  readonly smartcards: Smartcards;
  readonly catalogue: Pick<Catalogue<TvProvider, BouquetFacts>, "find">;
  readonly clock: Clock;
  readonly vatBasisPoints: number;
  readonly refusalOf: Orders["refusalOf"];
  /** How a verification is shown: a changed one stands in its refusal. */
  readonly view: (card: Verification) => unknown;
}

/**
 * The bouquet is known by its amount: a renewal names none, and each vendor has codes and names of its own, so a renewal and a change
 * to the card's own bouquet, or one bouquet of two vendors, are repeats.
 */
const twinKeyOf = (tvProvider: TvProvider, recipient: string, amountKobo: Kobo): string =>
  `cable ${tvProvider} ${recipient} ${amountKobo}`;

export function makeCable(options: CableOptions): Cable {
  const { smartcards, catalogue, clock, vatBasisPoints, refusalOf, view } = options;

  /** The verification that the purchase names, if it names one. */
  const named = async (
    caller: CableCaller,
    asked: AskedCard,
    verificationId: string | undefined,
  ): Promise<Result<Verification | undefined>> => {
    if (verificationId === undefined) return ok(undefined);
    const id = decodeId("ver", verificationId);
    const before = id && (await smartcards.find(caller, id));
    if (!before) return refuse(refused.NO_VERIFICATION);
    const isOfIt = before.smartcardNumber === asked.smartcardNumber && before.tvProvider === asked.tvProvider;
    return isOfIt ? ok(before) : refuse(refused.OF_ANOTHER_CARD);
  };

  /** The card as a vendor describes it now; refused when it has another customer than `before`. */
  const verifiedAnew = async (
    caller: CableCaller,
    asked: AskedCard,
    before: Verification | undefined,
  ): Promise<Result<Verification>> => {
    const now = await smartcards.verify(caller, asked);
    if (!now.ok || !before || isSameCustomer(before.customerName, now.value.customerName)) return now;
    return refuse(refused.customerChanged(view(now.value)));
  };

  const quoteRenewal = async (caller: CableCaller, renewal: ReadRenewal): Promise<Result<Quote>> => {
    const { card: asked, phone, verificationId } = renewal;
    const before = await named(caller, asked, verificationId);
    if (!before.ok) return before;
    const found = await verifiedAnew(caller, asked, before.value);
    if (!found.ok) return found;
    const { renewalKobo: amountKobo, customerName } = found.value;
    if (amountKobo === null) return refuse(refused.nothingToRenew(asked.tvProvider));
    const priceKobo = cablePrice(caller.plan, amountKobo);
    if (before.value && before.value.renewalKobo !== amountKobo) {
      const price = pricedAt(priceKobo, taxContained(priceKobo, vatBasisPoints));
      return refuse(refused.renewalChanged(amountKobo, before.value.renewalKobo, price, view(found.value)));
    }
    return ok({
      service: "cable",
      recipient: asked.smartcardNumber,
      payload: {
        product: "cable",
        tv_provider: asked.tvProvider,
        kind: "renew",
        amount_kobo: String(amountKobo),
        phone,
        customer: { name: customerName },
      },
      amountKobo,
      priceKobo,
      twinKey: twinKeyOf(asked.tvProvider, asked.smartcardNumber, amountKobo),
    });
  };

  const quoteChange = async (caller: CableCaller, change: ReadChange): Promise<Result<Quote>> => {
    const { provider: tvProvider, card: asked, phone, planId } = change;
    const plan = await catalogue.find(caller.mode, planId);
    if (!plan || plan.group !== tvProvider) return refuse(refused.noSuchPlan(planId, tvProvider));
    if (!plan.available) return refuse(refused.planGone(planId, tvProvider));
    const card = asked && (await cardFor(caller, asked, change.verificationId));
    if (card && !card.ok) return card;
    const { provider, code, name, costKobo } = plan;
    const recipient = asked?.smartcardNumber ?? phone;
    return ok({
      service: "cable",
      recipient,
      payload: {
        product: "cable",
        tv_provider: tvProvider,
        kind: "change",
        plan: { id: planId, provider, code, name, cost_kobo: String(costKobo) },
        amount_kobo: String(costKobo),
        phone,
        ...(card && { customer: { name: card.value.customerName } }),
      },
      amountKobo: costKobo,
      priceKobo: cablePrice(caller.plan, costKobo),
      twinKey: twinKeyOf(tvProvider, recipient, costKobo),
    });
  };

  /** For a change: as it was verified before, while that is fresh. */
  const cardFor = async (
    caller: CableCaller,
    asked: AskedCard,
    verificationId: string | undefined,
  ): Promise<Result<Verification>> => {
    const before = await named(caller, asked, verificationId);
    if (!before.ok) return before;
    if (before.value && clock.now() < expiresAt(before.value)) return ok(before.value);
    return verifiedAnew(caller, asked, before.value);
  };

  return {
    async verify(caller, { smartcard_number, provider: tvProvider }) {
      if (!ABILITIES[tvProvider].hasCards) return refuse(refused.notVerified(tvProvider));
      const number = parseSmartcardNumber(smartcard_number);
      return number.ok
        ? smartcards.verify(caller, { tvProvider, smartcardNumber: number.value })
        : refuse(refusalOf([number.error]));
    },

    async quote(caller, request) {
      const read = readPurchase(request, caller.mode);
      if (!read.ok) return refuse("code" in read.error ? read.error : refusalOf(read.error));
      return read.value.kind === "renew" ? quoteRenewal(caller, read.value) : quoteChange(caller, read.value);
    },
  };
}
