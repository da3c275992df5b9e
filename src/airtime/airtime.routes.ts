import Type from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import type { Catalogue, ListedPlan } from "../catalogue/index.ts";
import { daysOf } from "../catalogue/validity.ts";
import { readAmount } from "../http/amount.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { IdParameter, listOf, priceOf } from "../http/schemas.ts";
import { type Msisdn, type PhoneFault, parseMsisdn } from "../kernel/msisdn.ts";
import { guessNetwork, type Network, parseNetwork } from "../kernel/networks.ts";
import { type Fault, type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { PurchaseReplies } from "../purchases/purchase.replies.ts";
import { purchaseCaller } from "../purchases/purchase.ts";
import type { PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import * as descriptions from "./airtime.descriptions.ts";
import * as examples from "./airtime.examples.ts";
import {
  AIRTIME_ERRORS,
  AirtimeListQuery,
  airtimeAuth,
  DATA_ERRORS,
  DataBody,
  DataPlans,
  PlansQuery,
  TopupBody,
} from "./airtime.schemas.ts";
import type { Airtime, AirtimeCaller } from "./airtime.service.ts";
import type { AirtimePlan } from "./airtime.settings.ts";
import { dataPrice } from "./airtime.ts";
import { isParsed, type PlanFacts } from "./parse-plan.ts";

export interface AirtimeRoutesOptions {
  readonly airtime: Airtime;
  readonly catalogue: Pick<Catalogue<Network, PlanFacts>, "list">;
  readonly replies: PurchaseReplies;
  readonly models: PurchaseModels;
  readonly planOf: (service: "airtime", planId: string) => AirtimePlan;
  /** All that can be chosen: whose quota is used up is told which would do. */
  readonly plans: readonly AirtimePlan[];
  readonly vatBasisPoints: number;
}

/** `POST /airtime/topup`, `POST /airtime/data`, the data plans, and what became of purchases. */
export function airtimeRoutes(app: Http, options: AirtimeRoutesOptions): void {
  const { airtime, catalogue, replies, planOf, plans, vatBasisPoints } = options;
  const { Purchase, PurchaseCheck, PurchaseList } = options.models;
  const callerWith = (key: KeyRecord): AirtimeCaller =>
    purchaseCaller(key, planOf("airtime", key.subscriptions.airtime!.plan), plans);

  app.post(
    "/airtime/topup",
    {
      config: {
        auth: airtimeAuth("vend", "airtime-vend"),
        errors: AIRTIME_ERRORS,
        idempotency: "required",
        waits: true,
        requestExamples: examples.TOPUP,
        answerExamples: examples.TOPPED_UP,
      },
      schema: {
        operationId: "topUpAirtime",
        summary: "Top up a phone with airtime",
        description: descriptions.TOPUP,
        tags: ["Airtime and data"],
        body: TopupBody,
        response: { 200: PurchaseCheck, 201: Purchase, 202: Purchase },
      },
    },
    async (request, reply) => {
      const { to, amount, network, ...options } = request.body;
      const caller = callerWith(callerOf(request));
      return replies.buy(reply, {
        caller,
        options,
        async quote() {
          const read = readAmount(amount, "/amount");
          if (!read.ok) return read;
          return airtime.quoteTopup(caller, { to, amountKobo: read.value, network: networkOf(network) });
        },
      });
    },
  );

  app.post(
    "/airtime/data",
    {
      config: {
        auth: airtimeAuth("vend", "airtime-vend"),
        errors: DATA_ERRORS,
        idempotency: "required",
        waits: true,
        requestExamples: examples.DATA,
        answerExamples: examples.DATA_BOUGHT,
      },
      schema: {
        operationId: "buyData",
        summary: "Buy a data bundle for a phone",
        description: descriptions.DATA,
        tags: ["Airtime and data"],
        body: DataBody,
        response: { 200: PurchaseCheck, 201: Purchase, 202: Purchase },
      },
    },
    async (request, reply) => {
      const { to, plan_id: planId, ...options } = request.body;
      const caller = callerWith(callerOf(request));
      return replies.buy(reply, { caller, options, quote: () => airtime.quoteData(caller, { to, planId }) });
    },
  );

  app.get(
    "/airtime/data/plans",
    {
      config: {
        auth: airtimeAuth("read", "read"),
        errors: ["invalid_phone_number", "destination_not_supported"],
        answerExamples: examples.PLANS,
      },
      schema: {
        operationId: "listDataPlans",
        summary: "Data plans and your prices",
        description: descriptions.PLANS,
        tags: ["Airtime and data"],
        querystring: PlansQuery,
        response: { 200: DataPlans },
      },
    },
    async (request, reply) => {
      const { mode, plan } = callerWith(callerOf(request));
      const { to, network: told } = request.query;
      const wanted = wantedNetwork(told, to, mode);
      if (!wanted.ok) return sendRefusal(reply, wanted.error);
      const { plans, asOf } = await catalogue.list(mode, wanted.value);
      return {
        ...listOf(plans.map((listed) => planView(listed, plan, vatBasisPoints))),
        as_of: asOf?.toISOString() ?? null,
        ...(to !== undefined && wanted.value && { network_guess: wanted.value }),
      };
    },
  );

  app.get(
    "/airtime/status/:purchase_id",
    {
      config: { auth: airtimeAuth("read", "read"), errors: ["not_found"], answerExamples: examples.STATUS },
      schema: {
        operationId: "getAirtimePurchase",
        summary: "A purchase of airtime or data with its timeline",
        description: descriptions.STATUS,
        tags: ["Airtime and data"],
        params: Type.Object({ purchase_id: IdParameter("pur", "`id` of the purchase.") }),
        response: { 200: Purchase },
      },
    },
    async (request, reply) => replies.status(reply, request.params.purchase_id),
  );

  app.get(
    "/airtime/purchases",
    {
      config: {
        auth: airtimeAuth("read", "read"),
        errors: ["invalid_cursor", "invalid_phone_number", "destination_not_supported"],
        answerExamples: examples.LIST,
      },
      schema: {
        operationId: "listAirtimePurchases",
        summary: "Purchases of airtime and data, newest first",
        description: descriptions.LIST,
        tags: ["Airtime and data"],
        querystring: AirtimeListQuery,
        response: { 200: PurchaseList },
      },
    },
    async (request, reply) => {
      const to = phoneIn(request.query.to, callerOf(request).mode);
      return to.ok ? replies.list(reply, request.query, to.value) : sendRefusal(reply, to.error);
    },
  );
}

const networkOf = (name: string | undefined): Network | undefined =>
  name === undefined ? undefined : parseNetwork(name);

const inParameter = ({ code, detail }: PhoneFault, parameter: string): Refusal =>
  refusal(code, detail, { errors: [{ parameter, code, detail }] });

function phoneIn(to: string | undefined, mode: "live" | "test"): Result<Msisdn | undefined> {
  if (to === undefined) return ok(undefined);
  const phone = parseMsisdn(to, mode);
  return phone.ok ? phone : refuse(inParameter(phone.error, "to"));
}

/** Of `network` or `to`, whichever is there; undefined without both. */
function wantedNetwork(
  told: string | undefined,
  to: string | undefined,
  mode: "live" | "test",
): Result<Network | undefined> {
  if (to === undefined) return ok(networkOf(told));
  if (told !== undefined) return refuse(badQuery({ parameter: "to", code: "not_together", detail: ONE_OF_THEM }));
  const phone = phoneIn(to, mode);
  if (!phone.ok) return phone;
  const guess = phone.value && guessNetwork(phone.value);
  return guess ? ok(guess) : refuse(badQuery({ parameter: "to", code: "unknown_range", detail: UNKNOWN_RANGE }));
}

const badQuery = (fault: Fault): Refusal => refusal("validation_failed", fault.detail, { errors: [fault] });
const ONE_OF_THEM = "Ask by `network` or by `to`, not by both.";
const UNKNOWN_RANGE = "The number's first digits belong to no network that we know: ask by `network`.";

const planView = (listed: ListedPlan<Network, PlanFacts>, plan: AirtimePlan, vatBasisPoints: number) => ({
  object: "data_plan" as const,
  plan_id: listed.planId,
  network: listed.group,
  name: listed.name,
  size_mb: listed.facts.sizeMb,
  validity_days: listed.facts.validityHours === null ? null : daysOf(listed.facts.validityHours),
  kind: listed.facts.kind,
  parsed: isParsed(listed.facts),
  price: priceOf(dataPrice(plan, listed.costKobo), vatBasisPoints),
  available: listed.available,
});
