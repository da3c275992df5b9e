import { naira } from "../../vendors/field.ts";
import { isRecord } from "../../vendors/json.ts";
import { magicCard } from "../../vendors/magic.ts";
import type { Vend } from "../../vendors/store.repo.ts";
import {
  ControlFault,
  htmlPage,
  json,
  NO_ANSWER,
  type VendorAnswer,
  type VendorRequest,
} from "../../vendors/vendor.ts";
import type { VendorWorld } from "../../vendors/world.ts";
import { commissionOf, type Service, variationsOf } from "../catalogue.ts";
import { failure } from "../codes.ts";
import type { Asked } from "./product.ts";

/** What a card may be steered to be, over the control API. */
export interface CardChanges {
  readonly name?: string;
  /** The vendor's code; null: none, so that there is nothing to renew. */
  readonly bouquet?: string | null;
  /** Digits of kobo: what a renewal costs; null: nothing is to be renewed. */
  readonly renewalKobo?: string | null;
}

const CHANGES: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => typeof value === "string" && value !== "",
  bouquet: (value) => value === null || typeof value === "string",
  renewalKobo: (value) => value === null || /^\d{1,12}$/.test(String(value)),
};

const changesOf = (world: VendorWorld, number: string): CardChanges =>
  (world.recall(`smartcard:${number}`) ?? {}) as CardChanges;

/** POST /control/vtpass/smartcards/<number>: what the card is from now on. */
export function controlCards(path: string, { method, body }: VendorRequest, world: VendorWorld): object | undefined {
  const number = /^smartcards\/(\d{10,11})$/.exec(path)?.[1];
  if (method !== "POST" || number === undefined) return undefined;
  const changes = isRecord(body) ? body : {};
  const wrong = Object.entries(changes).find(([name, value]) => CHANGES[name]?.(value) !== true);
  if (wrong) throw new ControlFault(`${wrong[0]}: a card takes name, bouquet and renewalKobo`);
  const now = { ...changesOf(world, number), ...changes };
  world.keep(`smartcard:${number}`, now);
  if ("bouquet" in changes) world.keep(`bouquet-steered:${number}`, world.now);
  return now;
}

/** Whether the TV providers have such a card. */
export const isCard = (world: VendorWorld, number: string): boolean =>
  magicCard(number) !== undefined || Object.keys(changesOf(world, number)).length > 0;

/** Whose card it is; asked without `type`. */
export function verifyCard(number: string, { service }: Pick<Asked, "service">, world: VendorWorld): VendorAnswer {
  // Showmax has no cards.
  if (service.id === "showmax") return failure("012");
  const { first } = world.choose("verify", "cable", number).scenario;
  if (first === "biller_down") return failure("030");
  if (first === "hang") return NO_ANSWER;
  if (first === "html") return htmlPage(502);
  if (!isCard(world, number) || first === "meter_unknown") return unknownCard(service.id);
  return json({
    code: "000",
    content: {
      Customer_Name: changesOf(world, number).name ?? `TEST SUBSCRIBER ${number.slice(-4)}`,
      ...contentOf(world, service, number),
      commission_details: { amount: null, ...commissionOf(service), computation_type: "default" },
    },
  });
}

/** The vendor says the same in three ways, one for each TV provider. */
function unknownCard(serviceId: string): VendorAnswer {
  if (serviceId === "gotv") return json({ code: "000", content: { WrongBillersCode: true } });
  if (serviceId === "startimes")
    return json({ code: "000", content: { error: "Unable to verify this smartcard number." } });
  return failure("012");
}

/** Each TV provider has its own form of a due date, of a customer's number and of an amount. */
function contentOf(world: VendorWorld, service: Service, number: string): Readonly<Record<string, unknown>> {
  if (service.id === "startimes") return { Balance: 54.82, Smartcard_Number: number, WrongBillersCode: false };
  const isGotv = service.id === "gotv";
  const bouquet = bouquetOf(world, service, number);
  const renewalKobo = renewalOf(world, service, number);
  const due = dueDate(world, service, number);
  return {
    Status: bouquet ? "ACTIVE" : "INACTIVE",
    Due_Date: isGotv ? gotvDate(due) : `${due.toISOString().slice(0, 10)}T00:00:00`,
    Customer_Number: isGotv ? "81111111111" : 26117953,
    Customer_Type: service.id.toUpperCase(),
    Current_Bouquet: bouquet?.name ?? "",
    Current_Bouquet_Code: bouquet?.code ?? "",
    Renewal_Amount: isGotv ? naira(renewalKobo) : Number(naira(renewalKobo)),
  };
}

/** `06-FEB-27` */
function gotvDate(date: Date): string {
  const month = date.toLocaleString("en-GB", { month: "short", timeZone: "UTC" }).slice(0, 3);
  const [year, , day] = date.toISOString().slice(0, 10).split("-");
  return `${day}-${month.toUpperCase()}-${year?.slice(2)}`;
}

/** The bouquet of a card before anything is bought for it. */
const USUAL: Readonly<Record<string, string>> = { dstv: "dstv79", gotv: "gotv-jolli" };

/**
 * What was bought for the card and activated its bouquet, oldest first: a pending, failed or reversed purchase did not. An inactive
 * magic card stays inactive.
 */
const activations = (world: VendorWorld, service: Service, number: string): readonly Vend[] =>
  magicCard(number)?.isInactive
    ? []
    : world
        .recent(number, world.now)
        .filter(
          (vend) =>
            vend.details.serviceId === service.id &&
            vend.details.activates === true &&
            world.stateOf(vend) === "delivered",
        );

/** The one that was bought last, or that the card was steered to have since. */
function bouquetOf(world: VendorWorld, service: Service, number: string) {
  const steeredAt = Number(world.recall(`bouquet-steered:${number}`) ?? 0);
  const bought = activations(world, service, number).findLast((vend) => vend.plan !== null && vend.madeAt >= steeredAt);
  const { bouquet = magicCard(number)?.isInactive ? null : USUAL[service.id] } = changesOf(world, number);
  const held = bought?.plan ?? bouquet;
  return variationsOf(world, service).find(({ code }) => code === held);
}

const FIRST_DUE = new Date("2027-02-06T00:00:00Z");
const DAY_MS = 86_400_000;

/** Each purchase adds its days; a change of bouquet, and a renewal after the due date, count from their own day. */
function dueDate(world: VendorWorld, service: Service, number: string): Date {
  const names = new Map(variationsOf(world, service).map(({ code, name }) => [code, name]));
  let plan = bouquetOf(world, service, number)?.code ?? "";
  let dueMs = FIRST_DUE.getTime();
  for (const vend of activations(world, service, number)) {
    if (vend.plan !== null) plan = vend.plan;
    const fromMs = vend.plan === null ? Math.max(dueMs, vend.madeAt) : vend.madeAt;
    dueMs = fromMs + daysOf(names.get(plan) ?? "") * DAY_MS;
  }
  return new Date(dueMs);
}

const daysOf = (name: string): number => (/yearly/.test(name) ? 365 : /quarterly/.test(name) ? 90 : 30);

/** What a renewal costs: the bouquet's list price and what the card owes. Zero: there is nothing to renew. */
export function renewalOf(world: VendorWorld, service: Service, number: string): bigint {
  const { renewalKobo } = changesOf(world, number);
  if (renewalKobo === null) return 0n;
  if (renewalKobo !== undefined) return BigInt(renewalKobo);
  const bouquet = bouquetOf(world, service, number);
  return bouquet ? bouquet.amountKobo + (magicCard(number)?.arrearsKobo ?? 0n) : 0n;
}
