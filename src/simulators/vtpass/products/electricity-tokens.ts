import { type Sale, SERVICE_BAND, sell } from "../../vendors/electricity.ts";
import { kwh, naira } from "../../vendors/field.ts";
import type { IssuedToken, Vend } from "../../vendors/store.repo.ts";
import type { VendorWorld } from "../../vendors/world.ts";
import { detailsOf } from "../details.ts";

/** The token block of a delivered purchase, beside `purchased_code`. There is no common schema: each disco has its own keys. */
export function tokenBlock(world: VendorWorld, vend: Vend, odd: boolean): Record<string, unknown> {
  const { serviceId } = detailsOf(vend);
  const at = vend.stages.findLast((stage) => stage.state === "delivered")?.at ?? world.now;
  const tokens = world.tokensOf(vend, Math.max(at, world.now));
  const credit = tokens.find(({ kind }) => kind === "credit");
  const meter = world.field.meter(vend.recipient);
  if (!credit || !meter) return { purchased_code: "" };
  const arrearsKobo = BigInt(String(vend.details.arrearsKobo ?? 0));
  const sale = sell({ ...meter, arrearsKobo }, vend.amountKobo);
  const write = odd ? spaced : (value: string) => value;
  return {
    ...blockOf(serviceId, { name: meter.name, address: meter.address ?? "", number: vend.recipient }, sale, {
      credit: write(credit.value),
      units: kwh(credit.unitsTenths),
      bonus: tokens.find(({ kind }) => kind === "bonus"),
      reference: `${vend.id}`.padStart(10, "0"),
    }),
    ...keyChange(tokens, vend.details.otherWords === true ? OTHER_WORDS : wordsOf(serviceId)),
  };
}

const spaced = (token: string): string => token.replaceAll(/(\d{4})(?=\d)/g, "$1 ");

const wordsOf = (serviceId: string) =>
  serviceId === "kano-electric" ? { kct1: "KCT1", kct2: "KCT2" } : { kct1: "kct1", kct2: "kct2" };
const OTHER_WORDS = { kct1: "resetToken", kct2: "configureToken" };

function keyChange(tokens: readonly IssuedToken[], words: typeof OTHER_WORDS): Record<string, string> {
  const pair = (["kct1", "kct2"] as const).flatMap((kind) => {
    const token = tokens.find((candidate) => candidate.kind === kind);
    return token ? [[words[kind], token.value] as const] : [];
  });
  return Object.fromEntries(pair);
}

interface Sold {
  readonly credit: string;
  readonly units: string;
  readonly bonus: IssuedToken | undefined;
  readonly reference: string;
}

function blockOf(
  serviceId: string,
  customer: { readonly name: string; readonly address: string; readonly number: string },
  sale: Sale,
  sold: Sold,
): Record<string, unknown> {
  const { credit, units, bonus, reference } = sold;
  const [energy, vat, arrears] = [naira(sale.energyKobo), naira(sale.vatKobo), naira(sale.arrearsKobo)];
  const bonusText = bonus ? ` Bonus Token : ${bonus.value}` : "";
  switch (serviceId) {
    case "ikeja-electric":
      return {
        purchased_code: `Token : ${credit}`,
        token: `Token : ${credit}`,
        customerName: customer.name,
        customerAddress: customer.address,
        meterNumber: "N/A",
        tokenAmount: Number(energy),
        exchangeReference: reference,
        resetToken: null,
        configureToken: null,
        units: `${units} kWh`,
        fixChargeAmount: null,
        tariff: SERVICE_BAND,
        taxAmount: Number(vat),
        debtAmount: sale.arrearsKobo === 0n ? null : arrears,
        kct1: null,
        kct2: null,
        penalty: null,
        costOfUnit: naira(sale.rateKobo),
        ...(bonus ? { bonusToken: bonus.value, bonusTokenUnits: kwh(bonus.unitsTenths) } : {}),
      };
    case "eko-electric":
      return {
        purchased_code: `Token : ${credit}${bonusText}`,
        mainToken: credit,
        mainTokenDescription: "Normal Sale",
        mainTokenUnits: Number(units),
        mainTokenTax: Number(vat),
        mainsTokenAmount: Number(energy),
        ...(bonus
          ? {
              bonusToken: bonus.value,
              bonusTokenDescription: "FBE Token",
              bonusTokenUnits: Number(kwh(bonus.unitsTenths)),
              bonusTokenTax: 0,
              bonusTokenAmount: 0,
            }
          : {}),
        tariffIndex: "52",
        debtDescription: arrears,
      };
    case "kano-electric":
      return {
        purchased_code: `Token : ${credit}${bonusText}`,
        Token: credit,
        CustomerName: customer.name,
        CustomerAddress: customer.address,
        DebtAmount: Number(arrears),
        FixedAmount: 0,
        Amount: energy,
        Tax: vat,
        Units: Number(units),
        Tariff: SERVICE_BAND,
        Receipt: reference,
      };
    case "portharcourt-electric":
      return {
        purchased_code: `Token : ${credit}${bonusText}`,
        token: credit,
        customerName: customer.name,
        address: customer.address,
        meterNumber: customer.number,
        tokenAmount: energy,
        tariff: SERVICE_BAND,
        exchangeReference: reference,
        units,
        energyAmt: energy,
        vat,
        arrears,
        revenueLoss: "0",
      };
    case "enugu-electric":
      return {
        purchased_code: `Token : ${credit}${bonusText}`,
        token: credit,
        exchangeReference: reference,
        arrearsBalance: "0",
        appliedToArrears: arrears,
        wallet: 0,
        vat: Number(vat),
        invoiceNumber: `INV${reference}`,
        appliedToWallet: 0,
        units: Number(units),
        responseMessage: "Successful",
        status: "ACCEPTED",
        responseCode: 100,
      };
    // Nothing but the code of these is known.
    case "jos-electric":
      return { purchased_code: `token: ${credit}${bonusText}` };
    default:
      return { purchased_code: `Token : ${credit}${bonusText}`, token: credit, units, vat: Number(vat), arrears };
  }
}
