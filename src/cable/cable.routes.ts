import Type, { type Static } from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import type { Catalogue, ListedPlan } from "../catalogue/index.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { IdParameter, listOf, priceOf } from "../http/schemas.ts";
import type { Mode } from "../kernel/mode.ts";
import { moneyOf } from "../kernel/money.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import { type Fault, type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { TV_PROVIDERS, type TvProvider } from "../ports/cable-payload.ts";
import type { PurchaseReplies } from "../purchases/purchase.replies.ts";
import { purchaseCaller } from "../purchases/purchase.ts";
import type { PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import type { Sellers } from "../purchases/sellers.ts";
import { type BouquetFacts, validityDays } from "./bouquets.ts";
import * as descriptions from "./cable.descriptions.ts";
import * as examples from "./cable.examples.ts";
import {
  CABLE_ERRORS,
  CableListQuery,
  CablePlans,
  cableAuth,
  PlansQuery,
  PurchaseBody,
  TvProviders,
  VERIFY_ERRORS,
  VerifiedSmartcard,
  VerifyBody,
} from "./cable.schemas.ts";
import type { Cable, CableCaller } from "./cable.service.ts";
import type { CablePlan } from "./cable.settings.ts";
import { ABILITIES, cablePrice, parseSmartcardNumber } from "./cable.ts";
import { smartcardView } from "./smartcard.view.ts";
import { CABLE_TAG } from "./tag.ts";

export interface CableRoutesOptions {
  readonly cable: Cable;
  readonly catalogue: Pick<Catalogue<TvProvider, BouquetFacts>, "list">;
  readonly sellers: Pick<Sellers<TvProvider>, "statuses">;
  readonly replies: PurchaseReplies;
  readonly models: PurchaseModels;
  readonly planOf: (service: "cable", planId: string) => CablePlan;
  /** All that can be chosen: whose quota is used up is told which would do. */
  readonly plans: readonly CablePlan[];
  readonly vatBasisPoints: number;
}

export const PurchaseParams = Type.Object({ purchase_id: IdParameter("pur", "`id` of the purchase.") });
export const TAGS = [CABLE_TAG.name];

/** TV providers, bouquets, smartcards, purchases and what became of them. */
export function cableRoutes(app: Http, options: CableRoutesOptions): void {
  const { cable, catalogue, sellers, replies, models, planOf, plans, vatBasisPoints } = options;
  const { Purchase, PurchaseCheck, PurchaseList } = models;
  const callerWith = (key: KeyRecord): CableCaller =>
    purchaseCaller(key, planOf("cable", key.subscriptions.cable!.plan), plans);

  app.get(
    "/cable/providers",
    {
      config: { auth: cableAuth("read", "read"), answerExamples: examples.PROVIDERS },
      schema: {
        operationId: "listTvProviders",
        summary: "TV providers and their availability",
        description: descriptions.PROVIDERS,
        tags: TAGS,
        response: { 200: TvProviders },
      },
    },
    async (request) => {
      const statuses = await sellers.statuses(callerOf(request).mode);
      return listOf(TV_PROVIDERS.map((code) => providerView(code, statuses.get(code) ?? false)));
    },
  );

  app.get(
    "/cable/plans",
    {
      config: { auth: cableAuth("read", "read"), answerExamples: examples.PLANS },
      schema: {
        operationId: "listCablePlans",
        summary: "Bouquets and your prices",
        description: descriptions.PLANS,
        tags: TAGS,
        querystring: PlansQuery,
        response: { 200: CablePlans },
      },
    },
    async (request) => {
      const { mode, plan } = callerWith(callerOf(request));
      const { plans: listed, asOf } = await catalogue.list(mode, request.query.provider);
      return {
        ...listOf(listed.map((one) => planView(one, plan, vatBasisPoints))),
        as_of: asOf?.toISOString() ?? null,
      };
    },
  );

  app.post(
    "/cable/verify",
    {
      config: {
        auth: cableAuth("read", "cable-verify"),
        errors: VERIFY_ERRORS,
        requestExamples: examples.VERIFY,
        answerExamples: examples.VERIFIED,
      },
      schema: {
        operationId: "verifySmartcard",
        summary: "Verify a smartcard",
        description: descriptions.VERIFY,
        tags: TAGS,
        body: VerifyBody,
        response: { 200: VerifiedSmartcard },
      },
    },
    async (request, reply) => {
      const card = await cable.verify(callerWith(callerOf(request)), request.body);
      return card.ok ? smartcardView(card.value) : sendRefusal(reply, card.error);
    },
  );

  app.post(
    "/cable/purchase",
    {
      config: {
        auth: cableAuth("vend", "cable-vend"),
        errors: CABLE_ERRORS,
        idempotency: "required",
        waits: true,
        requestExamples: examples.PURCHASE,
        answerExamples: examples.BOUGHT,
      },
      schema: {
        operationId: "buyCable",
        summary: "Pay for cable TV, or buy a voucher",
        description: descriptions.PURCHASE,
        tags: TAGS,
        body: PurchaseBody,
        response: { 200: PurchaseCheck, 201: Purchase, 202: Purchase },
      },
    },
    async (request, reply) => {
      const { smartcard_number, provider, kind, plan_id, to, verification_id, ...rest } = request.body;
      const caller = callerWith(callerOf(request));
      const wanted = {
        provider,
        kind,
        to,
        ...(smartcard_number !== undefined && { smartcard_number }),
        ...(plan_id !== undefined && { plan_id }),
        ...(verification_id !== undefined && { verification_id }),
      };
      return replies.buy(reply, { caller, options: rest, isRemote: true, quote: () => cable.quote(caller, wanted) });
    },
  );

  app.get(
    "/cable/status/:purchase_id",
    {
      config: { auth: cableAuth("read", "read"), errors: ["not_found"], answerExamples: examples.STATUS },
      schema: {
        operationId: "getCablePurchase",
        summary: "A purchase of cable TV with its timeline",
        description: descriptions.STATUS,
        tags: TAGS,
        params: PurchaseParams,
        response: { 200: Purchase },
      },
    },
    async (request, reply) => replies.status(reply, request.params.purchase_id),
  );

  app.get(
    "/cable/purchases",
    {
      config: {
        auth: cableAuth("read", "read"),
        errors: ["invalid_cursor", "invalid_phone_number", "destination_not_supported"],
        answerExamples: examples.LIST,
      },
      schema: {
        operationId: "listCablePurchases",
        summary: "Purchases of cable TV, newest first",
        description: descriptions.LIST,
        tags: TAGS,
        querystring: CableListQuery,
        response: { 200: PurchaseList },
      },
    },
    async (request, reply) => {
      const recipient = recipientIn(request.query, callerOf(request).mode);
      return recipient.ok ? replies.list(reply, request.query, recipient.value) : sendRefusal(reply, recipient.error);
    },
  );
}

/** Whom the listed purchases are for: a smartcard, or a phone where there are none. */
function recipientIn(query: Static<typeof CableListQuery>, mode: Mode): Result<string | undefined> {
  const { smartcard_number: number, to } = query;
  if (number !== undefined && to !== undefined)
    return refuse(badFilter({ parameter: "to", code: "not_together", detail: ONE_OF_THEM }));
  if (number !== undefined) {
    const card = parseSmartcardNumber(number);
    return card.ok
      ? card
      : refuse(badFilter({ parameter: "smartcard_number", code: "wrong_format", detail: card.error.detail }));
  }
  const phone = to === undefined ? ok(undefined) : parseMsisdn(to, mode);
  if (phone.ok) return phone;
  const { code, detail } = phone.error;
  return refuse(refusal(code, detail, { errors: [{ parameter: "to", code, detail }] }));
}

const ONE_OF_THEM =
  "List by `smartcard_number` or by `to`, not by both: a purchase for a smartcard is listed by its smartcard.";

const badFilter = (fault: Fault): Refusal => refusal("validation_failed", fault.detail, { errors: [fault] });

function providerView(code: TvProvider, available: boolean) {
  const { name, hasCards, kinds } = ABILITIES[code];
  return {
    object: "tv_provider" as const,
    code,
    name,
    verify: hasCards,
    kinds: [...kinds],
    status: available ? ("available" as const) : ("unavailable" as const),
  };
}

const planView = (listed: ListedPlan<TvProvider, BouquetFacts>, plan: CablePlan, vatBasisPoints: number) => ({
  object: "cable_plan" as const,
  plan_id: listed.planId,
  provider: listed.group,
  name: listed.name,
  validity_days: validityDays(listed.facts),
  amount: moneyOf(listed.costKobo),
  price: priceOf(cablePrice(plan, listed.costKobo), vatBasisPoints),
  available: listed.available,
});
