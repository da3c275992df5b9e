import { naira } from "../../vendors/field.ts";
import { isRecord } from "../../vendors/json.ts";
import { magicCard } from "../../vendors/magic.ts";
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
  return {
    Status: bouquet ? "ACTIVE" : "INACTIVE",
    Due_Date: isGotv ? "06-FEB-27" : "2027-02-06T00:00:00",
    Customer_Number: isGotv ? "81111111111" : 26117953,
    Customer_Type: service.id.toUpperCase(),
    Current_Bouquet: bouquet?.name ?? "",
    Current_Bouquet_Code: bouquet?.code ?? "",
    Renewal_Amount: isGotv ? naira(renewalKobo) : Number(naira(renewalKobo)),
  };
}

/** The bouquet of a card that was not steered to have another. */
const USUAL: Readonly<Record<string, string>> = { dstv: "dstv79", gotv: "gotv-jolli" };

function bouquetOf(world: VendorWorld, service: Service, number: string) {
  const { bouquet = magicCard(number)?.isInactive ? null : USUAL[service.id] } = changesOf(world, number);
  return variationsOf(world, service).find(({ code }) => code === bouquet);
}

/** What a renewal costs: the bouquet's list price and what the card owes. Zero: there is nothing to renew. */
export function renewalOf(world: VendorWorld, service: Service, number: string): bigint {
  const { renewalKobo } = changesOf(world, number);
  if (renewalKobo === null) return 0n;
  if (renewalKobo !== undefined) return BigInt(renewalKobo);
  const bouquet = bouquetOf(world, service, number);
  return bouquet ? bouquet.amountKobo + (magicCard(number)?.arrearsKobo ?? 0n) : 0n;
}
