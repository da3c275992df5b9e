import { randomUUID } from "node:crypto";
import { HOUR_MS } from "../../kernel/duration.ts";
import { naira } from "../vendors/field.ts";
import type { VendState } from "../vendors/scenarios.ts";
import type { Vend } from "../vendors/store.repo.ts";
import { json, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { failure } from "./errors.ts";
import { pageOf } from "./pages.ts";

/** The vendor's notes on a vend. */
export interface Details {
  readonly transactionId: number;
  readonly operatorId: number;
  readonly operatorName: string;
  /** As the caller wrote it. */
  readonly phone: string;
  readonly costKobo: string;
  readonly balanceBeforeKobo: string;
  /** Numbers are written as texts, and with noise. */
  readonly odd: boolean;
  /** Not all of it arrives. */
  readonly short: boolean;
}

export const detailsOf = (vend: Vend): Details => vend.details as unknown as Details;

export function statusOf(world: VendorWorld, state: VendState): string {
  switch (state) {
    case "pending":
      return "PROCESSING";
    case "tokenless":
    case "delivered":
      return "SUCCESSFUL";
    case "failed":
      return String(world.setting("failedAs"));
    case "reversed":
      return "REFUNDED";
  }
}

/** A vend as the vendor's reports have it. Balances have five decimals, and the date no zone (it is New York's). */
export function showTransaction(world: VendorWorld, vend: Vend, state = world.stateOf(vend)): Record<string, unknown> {
  const { transactionId, operatorId, operatorName, phone, costKobo, balanceBeforeKobo, odd, short } = detailsOf(vend);
  const amount = odd ? `${naira(vend.amountKobo)}` : Number(naira(vend.amountKobo));
  const cost = BigInt(costKobo);
  return {
    transactionId: odd ? String(transactionId) : transactionId,
    status: statusOf(world, state),
    operatorTransactionId: state === "delivered" ? `op-${transactionId}` : null,
    customIdentifier: vend.reference.startsWith(UNNAMED) ? null : vend.reference,
    recipientPhone: phone,
    recipientEmail: null,
    senderPhone: null,
    countryCode: "NG",
    operatorId,
    operatorName,
    discount: Number(naira(vend.amountKobo - cost)),
    discountCurrencyCode: "NGN",
    requestedAmount: amount,
    requestedAmountCurrencyCode: "NGN",
    deliveredAmount: short ? Number(naira((vend.amountKobo * 91n) / 100n)) : amount,
    deliveredAmountCurrencyCode: "NGN",
    transactionDate: dateTime(vend.madeAt - NEW_YORK_MS),
    fee: 0,
    pinDetail: null,
    balanceInfo: {
      oldBalance: Number(`${naira(BigInt(balanceBeforeKobo))}345`),
      newBalance: Number(`${naira(BigInt(balanceBeforeKobo) - cost)}345`),
      cost: odd ? `${naira(cost)}00000000004` : Number(naira(cost)),
      currencyCode: "NGN",
      currencyName: "Nigerian Naira",
      updatedAt: dateTime(vend.madeAt),
    },
  };
}

/** The books name every top-up; a caller need not, and may not use this. */
const UNNAMED = "(unnamed) ";
export const newUnnamed = (): string => `${UNNAMED}${randomUUID()}`;

const NEW_YORK_MS = 4 * HOUR_MS;
const dateTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

/** The vendor's own numbers of its transactions, counted up. */
export function nextTransactionId(world: VendorWorld, reference: string): number {
  const id = Number(world.recall("transactions") ?? FIRST_ID) + 1;
  world.keep("transactions", id);
  world.keep(`transaction:${id}`, reference);
  return id;
}

const FIRST_ID = 4_600_000;

function findTransaction(world: VendorWorld, id: string | number): Vend | undefined {
  const reference = world.recall(`transaction:${id}`);
  return typeof reference === "string"
    ? world.recallVends(reference).find((vend) => String(detailsOf(vend).transactionId) === String(id))
    : undefined;
}

/** GET /topups/{id}/status. */
export function answerStatus({ path }: VendorRequest, world: VendorWorld, id: string): VendorAnswer {
  const vend = findTransaction(world, id);
  if (!vend) return failure(world, path, "TRANSACTION_NOT_FOUND");
  if (world.requeryFails(vend)) return failure(world, path, "PROVIDER_INTERNAL_ERROR");
  const status = statusOf(world, world.stateOf(vend));
  const isBad = status === "FAILED" || status === "REFUNDED";
  return json({
    code: isBad ? "TRANSACTION_FAILED_ON_OPERATOR" : null,
    message: isBad ? "The operator did not process the top-up" : null,
    status,
    transaction: showTransaction(world, vend),
  });
}

/** GET /topups/reports/transactions/{id}. */
export function answerTransaction({ path }: VendorRequest, world: VendorWorld, id: string): VendorAnswer {
  const vend = findTransaction(world, id);
  return vend ? json(showTransaction(world, vend)) : failure(world, path, "TRANSACTION_NOT_FOUND");
}

/** GET /topups/reports/transactions: those of one customIdentifier, or all, the newest first. */
export function answerReport({ path, query }: VendorRequest, world: VendorWorld): VendorAnswer {
  const identifier = query.get("customIdentifier");
  if (identifier === null) return page(allTransactions(world), world, query);
  const found = world.recallVends(identifier);
  return found[0] && world.requeryFails(found[0])
    ? failure(world, path, "PROVIDER_INTERNAL_ERROR")
    : page(found, world, query);
}

function allTransactions(world: VendorWorld): Vend[] {
  const last = Number(world.recall("transactions") ?? FIRST_ID);
  return Array.from({ length: last - FIRST_ID }, (_, index) => findTransaction(world, last - index)).filter(
    (vend) => vend !== undefined,
  );
}

const page = (vends: readonly Vend[], world: VendorWorld, query: URLSearchParams): VendorAnswer => {
  const { content, ...rest } = pageOf(vends, query, TRANSACTIONS_PER_PAGE);
  return json({ content: content.map((vend) => showTransaction(world, vend)), ...rest });
};

const TRANSACTIONS_PER_PAGE = 100;
