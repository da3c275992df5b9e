import { sell, TARIFF_CLASS } from "../vendors/electricity.ts";
import { kwh, naira } from "../vendors/field.ts";
import type { Vend } from "../vendors/store.repo.ts";
import { json, type VendorAnswer } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";

/** A refusal in the vendor's envelope. Its code is often not the HTTP status, and only the two together say what happened. */
export const failure = (status: number, responseCode: number, message: string): VendorAnswer =>
  json({ status: false, message, responseCode }, status);

/** What failed on the way has the older flag too. */
const fault = (status: number, responseCode: number, message: string): VendorAnswer =>
  json({ status: false, error: true, responseCode, message }, status);

const REQUERY_PLEASE = "An unexpected error occurred. Please requery to get status.";
export const unexpected = (): VendorAnswer => fault(500, 500, REQUERY_PLEASE);
/** The two codes are crossed at the vendor too. */
export const unavailable = (): VendorAnswer => fault(503, 502, REQUERY_PLEASE);
export const migrated = (): VendorAnswer =>
  fault(501, 501, "This account is being migrated. Customer is advised to visit their service provider to resolve.");

export const alreadyReceived = (): VendorAnswer => failure(409, 201, "Request already received");
/** The same code as of a purchase in progress, told apart by the HTTP status. */
export const failed = (): VendorAnswer => failure(400, 202, "Transaction failed.");

/** The purchase is under way; `delay` are the seconds from one requery to the next. */
export function inProgress(world: VendorWorld): VendorAnswer {
  const delay = world.setting("delaySeconds") as readonly number[];
  const message = `Transaction is still in progress. Please requery in ${delay[0]} seconds`;
  return json({ status: false, error: true, responseCode: 202, message, delay }, 202);
}

/** `vend` has numbers; a requery has the same as texts; `odd` has what floats make of them. */
export type Spelling = "vend" | "requery" | "odd";

const WRITERS: Readonly<Record<Spelling, (kobo: bigint) => unknown>> = {
  vend: (kobo) => Number(naira(kobo)),
  requery: naira,
  odd: (kobo) => `${naira(kobo)}00000000002`,
};

/** A vend that the vendor calls delivered. Its tokens are those that have come by now, perhaps none. */
export function receipt(world: VendorWorld, vend: Vend, spelling: Spelling): Record<string, unknown> {
  const { disco, phone, vendType, arrearsKobo } = vend.details as Readonly<Record<string, string>>;
  const meter = world.field.meter(vend.recipient);
  const sale = meter && sell({ ...meter, arrearsKobo: BigInt(arrearsKobo ?? 0) }, vend.amountKobo);
  const tokens = world.tokensOf(vend);
  const credit = tokens.find(({ kind }) => kind === "credit");
  const bonus = tokens.find(({ kind }) => kind === "bonus");
  const write = WRITERS[spelling];
  const isRequery = spelling === "requery";
  return {
    id: 5_000_000 + vend.id,
    amountGenerated: write(sale?.energyKobo ?? 0n),
    tariff: null,
    debtAmount: write(sale?.arrearsKobo ?? 0n),
    debtRemaining: write(0n),
    disco,
    freeUnits: bonus ? Number(kwh(bonus.unitsTenths)) : 0,
    orderId: vend.reference,
    receiptNo: isRequery ? `1708634${vend.id}` : Number(`1708634${vend.id}`),
    tax: write(sale?.vatKobo ?? 0n),
    vendTime: new Date(vend.madeAt).toISOString().slice(0, 19).replace("T", " "),
    token: credit ? dashed(credit.value) : "",
    totalAmountPaid: write(vend.amountKobo),
    units: credit ? kwh(credit.unitsTenths) : "",
    vendAmount: write(vend.amountKobo),
    vendRef: isRequery ? null : Number(`1708634${vend.id}`),
    responseCode: 100,
    responseMessage: "Payment successful",
    address: meter?.address ?? "",
    name: meter?.name ?? "",
    phoneNo: phone,
    charges: write(0n),
    tariffIndex: null,
    tariffClass: vendType === "PREPAID" ? TARIFF_CLASS : null,
    // In no order that a customer could type them in.
    parcels: tokens.toReversed().map(({ kind, value }) => ({ type: PARCELS[kind], content: dashed(value) })),
    demandCategory: "NMD",
    assetProvider: disco,
  };
}

const PARCELS = { credit: "TOKEN", bonus: "BONUS", kct1: "KCT1", kct2: "KCT2" } as const;

const dashed = (token: string): string => token.replaceAll(/(\d{4})(?=\d)/g, "$1-");

export const delivered = (data: unknown): Record<string, unknown> => ({
  status: true,
  message: "Successful transaction",
  responseCode: 200,
  data,
});
