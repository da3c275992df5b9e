import Type from "typebox";
import { actorOf } from "../accounts/actor.ts";
import type { Db } from "../db/database.ts";
import { readAmount } from "../http/amount.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { fingerprintOf, idempotencyKeyOf } from "../http/idempotency.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { IdParameter } from "../http/schemas.ts";
import { decodeId, type Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { findTopup, listTopups } from "./topups.repo.ts";
import { TopupBody, TopupList, TopupQuery, TopupView, topupView } from "./topups.schemas.ts";
import type { Topups } from "./topups.service.ts";

const NO_TOPUP = refusal("not_found", "There is no such top-up in this account and mode.");

const EXAMPLE = {
  id: "trf_01kb3v9q4ze1xb8m6t2r5y7w0n",
  object: "topup",
  mode: "live",
  status: "pending",
  method: "link",
  amount: { amount: "5000.00", currency: "NGN" },
  payment_url: "https://checkout.paystack.com/0peioxfhpn",
  expires_at: "2026-11-28T09:00:00.000Z",
  created_at: "2026-11-27T09:00:00.000Z",
  updated_at: "2026-11-27T09:00:00.000Z",
};
const { payment_url: _page, expires_at: _end, ...PAID_BY_NOBODY } = EXAMPLE;
const TEST_EXAMPLE = {
  ...PAID_BY_NOBODY,
  mode: "test",
  status: "successful",
  paid: EXAMPLE.amount,
  completed_at: EXAMPLE.created_at,
};
const { payment_url: _link, ...WITHOUT_LINK } = EXAMPLE;
const TRANSFER_EXAMPLE = {
  ...WITHOUT_LINK,
  method: "bank_transfer",
  bank_account: { bank: "Wema Bank", account_number: "9930000737", account_name: "AFARA / EXAMPLE LTD" },
  expires_at: "2026-11-30T09:00:00.000Z",
};

/** `POST /wallet/topups` and the top-ups' status. */
export function topupRoutes(app: Http, { db, topups }: { readonly db: Db; readonly topups: Topups }): void {
  app.post(
    "/wallet/topups",
    {
      config: {
        auth: { scope: "manage", policy: "manage", permission: "top_up" },
        errors: [
          "amount_not_exact",
          "amount_out_of_bounds",
          "invalid_idempotency_key",
          "idempotency_key_reused",
          "provider_unavailable",
        ],
        idempotency: "optional",
        requestExamples: {
          "By card, on a payment page": { amount: "5000.00", method: "link" },
          "By bank transfer": { amount: 20_000, method: "bank_transfer" },
        },
        answerExamples: [
          { status: 201, summary: "A payment page", value: EXAMPLE },
          { status: 201, summary: "An account number to transfer to", value: TRANSFER_EXAMPLE },
          { status: 201, summary: "Test mode: credited at once", value: TEST_EXAMPLE },
        ],
      },
      schema: {
        operationId: "createTopup",
        summary: "Top up the wallet",
        description:
          "Returns a payment page, or your account number for bank transfers. Once the payment vendor confirms the payment, the wallet is credited with the amount paid (`wallet.topped_up`); `amount_differs` marks an amount other than the requested one. Unannounced transfers to the account number are credited too. In test mode no payment is needed: the play wallet is credited at once.",
        tags: ["Wallet"],
        body: TopupBody,
        response: { 201: TopupView },
      },
    },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const amount = readAmount(request.body.amount, "/amount");
      if (!amount.ok) return sendRefusal(reply, amount.error);
      const caller = callerOf(request);
      const { accountId, mode } = caller;
      const made = await topups.create(
        { accountId: accountId as Uuid, mode, actor: actorOf(caller) },
        {
          amountKobo: amount.value,
          method: request.body.method,
          key: key.value,
          fingerprint: fingerprintOf("POST", "/wallet/topups", request.body),
        },
      );
      if (!made.ok) return sendRefusal(reply, made.error);
      if (made.value.replayed) reply.header("idempotent-replayed", "true");
      const view = topupView(made.value.topup);
      request.orderId = view.id;
      return reply.code(201).send(view);
    },
  );

  app.get(
    "/wallet/topups/:topup_id",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["not_found"],
        answerExamples: [{ status: 200, summary: "Awaiting payment", value: EXAMPLE }],
      },
      schema: {
        operationId: "getTopup",
        summary: "The status of a top-up",
        description: "`successful` once the money is in the wallet.",
        tags: ["Wallet"],
        params: Type.Object({ topup_id: IdParameter("trf", "`id` of the top-up.") }),
        response: { 200: TopupView },
      },
    },
    async (request, reply) => {
      const { accountId, mode } = callerOf(request);
      const id = decodeId("trf", request.params.topup_id);
      const topup = id && (await findTopup(db, accountId as Uuid, mode, id));
      return topup ? topupView(topup) : sendRefusal(reply, NO_TOPUP);
    },
  );

  app.get(
    "/wallet/topups",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["invalid_cursor"],
        answerExamples: [
          { status: 200, summary: "One top-up", value: { object: "list", data: [EXAMPLE], has_more: false } },
        ],
      },
      schema: {
        operationId: "listTopups",
        summary: "Top-ups, newest first",
        description: "The account's top-ups in the key's mode, including unannounced transfers.",
        tags: ["Wallet"],
        querystring: TopupQuery,
        response: { 200: TopupList },
      },
    },
    async (request, reply) => {
      const { accountId, mode } = callerOf(request);
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { filters, rowLimit, beforeId } = page.value;
      const found = await listTopups(db, {
        accountId: accountId as Uuid,
        mode,
        limit: rowLimit,
        ...(filters.status !== undefined && { state: filters.status }),
        ...(beforeId && { beforeId }),
      });
      return page.value.answer(found, topupView);
    },
  );
}
