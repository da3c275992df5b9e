import Type from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import { readAmount } from "../http/amount.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { IdParameter, listOf } from "../http/schemas.ts";
import { DISCOS, type Disco } from "../kernel/discos.ts";
import { boundsView } from "../kernel/money.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import type { PurchaseReplies } from "../purchases/purchase.replies.ts";
import { purchaseCaller } from "../purchases/purchase.ts";
import type { PurchaseModels } from "../purchases/purchase-models.schemas.ts";
import type { Sellers } from "../purchases/sellers.ts";
import * as descriptions from "./electricity.descriptions.ts";
import * as examples from "./electricity.examples.ts";
import {
  Discos,
  ELECTRICITY_ERRORS,
  ElectricityListQuery,
  electricityAuth,
  PurchaseBody,
  VERIFY_ERRORS,
  VerifiedMeter,
  VerifyBody,
} from "./electricity.schemas.ts";
import type { Electricity, ElectricityCaller, MeterQuote } from "./electricity.service.ts";
import type { ElectricityPlan } from "./electricity.settings.ts";
import { boundsOf, parseMeterNumber } from "./electricity.ts";
import { arrearsView, meterView } from "./meter.view.ts";

export interface ElectricityRoutesOptions {
  readonly electricity: Electricity;
  readonly sellers: Pick<Sellers<Disco>, "statuses">;
  readonly replies: PurchaseReplies;
  readonly models: PurchaseModels;
  readonly planOf: (service: "electricity", planId: string) => ElectricityPlan;
  /** All that can be chosen: whose quota is used up is told which would do. */
  readonly plans: readonly ElectricityPlan[];
}

export const PurchaseParams = Type.Object({ purchase_id: IdParameter("pur", "`id` of the purchase.") });
export const TAGS = ["Electricity"];

/** Verifying meters, buying for them, and what became of it. */
export function electricityRoutes(app: Http, options: ElectricityRoutesOptions): void {
  const { electricity, sellers, replies, planOf, plans } = options;
  const { Purchase, PurchaseCheck, PurchaseList } = options.models;
  const callerWith = (key: KeyRecord): ElectricityCaller =>
    purchaseCaller(key, planOf("electricity", key.subscriptions.electricity!.plan), plans);

  app.post(
    "/electricity/verify",
    {
      config: {
        auth: electricityAuth("read", "electricity-verify"),
        errors: VERIFY_ERRORS,
        requestExamples: examples.VERIFY,
        answerExamples: examples.VERIFIED,
      },
      schema: {
        operationId: "verifyMeter",
        summary: "Verify a meter",
        description: descriptions.VERIFY,
        tags: TAGS,
        body: VerifyBody,
        response: { 200: VerifiedMeter },
      },
    },
    async (request, reply) => {
      const meter = await electricity.verify(callerWith(callerOf(request)), request.body);
      return meter.ok ? meterView(meter.value) : sendRefusal(reply, meter.error);
    },
  );

  app.post(
    "/electricity/purchase",
    {
      config: {
        auth: electricityAuth("vend", "electricity-vend"),
        errors: ELECTRICITY_ERRORS,
        idempotency: "required",
        waits: true,
        requestExamples: examples.PURCHASE,
        answerExamples: examples.BOUGHT,
      },
      schema: {
        operationId: "buyElectricity",
        summary: "Buy electricity for a prepaid meter",
        description: descriptions.PURCHASE,
        tags: TAGS,
        body: PurchaseBody,
        response: { 200: PurchaseCheck, 201: Purchase, 202: Purchase },
      },
    },
    async (request, reply) => {
      const { meter_number, disco, amount, to, verification_id, ...options } = request.body;
      const caller = callerWith(callerOf(request));
      let quoted: MeterQuote | undefined;
      return replies.buy(reply, {
        caller,
        options,
        isRemote: true,
        async quote() {
          const read = readAmount(amount, "/amount");
          if (!read.ok) return read;
          const wanted = { meter_number, disco, amountKobo: read.value, to };
          const quote = await electricity.quote(caller, {
            ...wanted,
            ...(verification_id !== undefined && { verification_id }),
          });
          if (quote.ok) quoted = quote.value;
          return quote;
        },
        more: () => ({ ...(quoted && arrearsView(quoted.meter)) }),
      });
    },
  );

  app.get(
    "/electricity/discos",
    {
      config: { auth: electricityAuth("read", "read"), answerExamples: examples.DISCOS },
      schema: {
        operationId: "listDiscos",
        summary: "Distribution companies and their availability",
        description: descriptions.DISCOS,
        tags: TAGS,
        response: { 200: Discos },
      },
    },
    async (request) => {
      const statuses = await sellers.statuses(callerOf(request).mode);
      const codes = Object.keys(DISCOS) as readonly Disco[];
      return listOf(codes.map((code) => discoView(code, statuses.get(code) ?? false)));
    },
  );

  app.get(
    "/electricity/status/:purchase_id",
    {
      config: { auth: electricityAuth("read", "read"), errors: ["not_found"], answerExamples: examples.STATUS },
      schema: {
        operationId: "getElectricityPurchase",
        summary: "A purchase of electricity with its tokens and timeline",
        description: descriptions.STATUS,
        tags: TAGS,
        params: PurchaseParams,
        response: { 200: Purchase },
      },
    },
    async (request, reply) => replies.status(reply, request.params.purchase_id),
  );

  app.get(
    "/electricity/purchases",
    {
      config: { auth: electricityAuth("read", "read"), errors: ["invalid_cursor"], answerExamples: examples.LIST },
      schema: {
        operationId: "listElectricityPurchases",
        summary: "Purchases of electricity, newest first",
        description: descriptions.LIST,
        tags: TAGS,
        querystring: ElectricityListQuery,
        response: { 200: PurchaseList },
      },
    },
    async (request, reply) => {
      const { meter_number: asked } = request.query;
      const meter = asked === undefined ? undefined : parseMeterNumber(asked);
      if (meter && !meter.ok) return sendRefusal(reply, badFilter(meter.error.detail));
      return replies.list(reply, request.query, meter?.value);
    },
  );
}

const badFilter = (detail: string): Refusal =>
  refusal("validation_failed", detail, { errors: [{ parameter: "meter_number", code: "wrong_format", detail }] });

function discoView(code: Disco, available: boolean) {
  const { name, states } = DISCOS[code];
  return {
    object: "disco" as const,
    code,
    name,
    states: [...states],
    ...boundsView(boundsOf(code)),
    status: available ? ("available" as const) : ("unavailable" as const),
  };
}
