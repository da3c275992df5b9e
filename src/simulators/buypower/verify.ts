import { meterIn, minimumOf, TARIFF_CLASS } from "../vendors/electricity.ts";
import { naira } from "../vendors/field.ts";
import { htmlPage, json, NO_ANSWER, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { failure, unavailable } from "./answers.ts";
import { isDisco } from "./discos.ts";
import { isDown } from "./settings.ts";

/** GET /check/meter: whose meter it is. Without the envelope, and with a responseCode of its own. */
export function verify({ query }: VendorRequest, world: VendorWorld): VendorAnswer {
  const [meterNo, disco, vendType] = [query.get("meter") ?? "", query.get("disco"), query.get("vendType")];
  if (!/^\d{10,13}$/.test(meterNo) || !isDisco(disco) || (vendType !== "PREPAID" && vendType !== "POSTPAID"))
    return failure(400, 400, 'Validation failed. "meter", "disco" and "vendType" are required');
  const chosen = world.choose("verify", "electricity", meterNo);
  const { first } = chosen.scenario;
  if (first === "biller_down" || isDown(world, disco)) return unavailable();
  if (first === "hang") return NO_ANSWER;
  if (first === "html") return htmlPage(502);
  const known = world.field.meter(meterNo);
  if (!known || first === "meter_unknown") return failure(400, 400, "Invalid meter number");
  const meter = meterIn(known, chosen);
  return json({
    error: false,
    discoCode: disco,
    vendType: (meter.type === "postpaid" ? meter.type : vendType).toUpperCase(),
    meterNo,
    minVendAmount: Number(naira(minimumOf(meter))),
    maxVendAmount: Number(naira(meter.maximumKobo)),
    responseCode: 100,
    outstanding: Number(naira(meter.arrearsKobo)),
    debtRepayment: 0,
    name: meter.name,
    address: meter.address ?? "",
    tariff: 0,
    tariffDesc: "Residential class 2",
    tariffClass: TARIFF_CLASS,
    demandCategory: "NMD",
  });
}
