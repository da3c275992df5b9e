import { meterIn, minimumOf, SERVICE_BAND } from "../../vendors/electricity.ts";
import { naira } from "../../vendors/field.ts";
import { htmlPage, json, NO_ANSWER, type VendorAnswer } from "../../vendors/vendor.ts";
import type { VendorWorld } from "../../vendors/world.ts";
import { commissionOf } from "../catalogue.ts";
import { failure } from "../codes.ts";
import type { Asked } from "./product.ts";

/** Whose meter it is. */
export function verifyMeter(
  billersCode: string,
  { service, body: { type } }: Pick<Asked, "service" | "body">,
  world: VendorWorld,
): VendorAnswer {
  if (type !== "prepaid" && type !== "postpaid") return failure("011");
  const chosen = world.choose("verify", "electricity", billersCode);
  const { first } = chosen.scenario;
  if (first === "biller_down") return failure("030");
  if (first === "hang") return NO_ANSWER;
  if (first === "html") return htmlPage(502);
  const known = world.field.meter(billersCode);
  // The vendor says the same in three ways, one for each kind of disco.
  if (!known || first === "meter_unknown") return unknownMeter(service.id);
  const meter = meterIn(known, chosen);
  const owes = meter.arrearsKobo > 0n;
  return json({
    code: "000",
    content: {
      Customer_Name: meter.name,
      ...(meter.address === null ? {} : { Address: meter.address }),
      ...keysOf(service.id, {
        number: meter.number,
        arrears: naira(meter.arrearsKobo),
        minimum: Number(naira(minimumOf(meter))),
        maximum: Number(naira(meter.maximumKobo)),
        owes,
      }),
      Can_Vend: "yes",
      Service_Band: SERVICE_BAND,
      Customer_Account_Type: "NMD",
      Meter_Type: (known.type === "postpaid" ? known.type : type).toUpperCase(),
      WrongBillersCode: false,
      commission_details: { amount: null, ...commissionOf(service), computation_type: "default" },
    },
  });
}

function unknownMeter(serviceId: string): VendorAnswer {
  if (serviceId === "ikeja-electric") return json({ code: "000", content: { WrongBillersCode: true } });
  if (serviceId === "eko-electric")
    return json({ code: "000", content: { error: "Customer details not found for this meter." } });
  return failure("012");
}

/** Every disco returns a different subset under different names. */
function keysOf(
  serviceId: string,
  meter: { number: string; arrears: string; minimum: number; maximum: number; owes: boolean },
): Record<string, unknown> {
  switch (serviceId) {
    case "ikeja-electric":
      return {
        Meter_Number: meter.number,
        Account_Number: "0100000000",
        Customer_Arrears: meter.arrears,
        Min_Purchase_Amount: meter.minimum,
        MAX_Purchase_Amount: meter.maximum,
        Business_Unit: "SHOMOLU",
      };
    case "portharcourt-electric":
      return {
        MeterNumber: meter.number,
        Customer_Number: "0200000000",
        CustomerArrears: Number(meter.arrears),
        Minimum_Purchase_Amount: String(meter.minimum),
        MAX_Purchase_Amount: String(meter.maximum),
      };
    case "enugu-electric":
      return {
        Meter_Number: meter.number,
        Outstanding: meter.arrears,
        Minimum_Amount: meter.minimum,
        District: "OGUI",
      };
    default:
      return {
        Meter_Number: meter.number,
        ...(meter.owes ? { Customer_Arrears: meter.arrears } : {}),
        Min_Purchase_Amount: meter.minimum,
      };
  }
}
