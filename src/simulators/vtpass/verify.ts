import { isRecord } from "../vendors/json.ts";
import type { VendorAnswer, VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { serviceOf } from "./catalogue.ts";
import { failure } from "./codes.ts";
import { productOf } from "./products.ts";

/** POST merchant-verify: whose meter it is, or the like, where the service's product can say so. */
export function verify({ body }: VendorRequest, world: VendorWorld): VendorAnswer {
  if (!isRecord(body)) return failure("011");
  const { billersCode: given, serviceID } = body;
  const billersCode = typeof given === "number" ? String(given) : given;
  if (typeof billersCode !== "string") return failure("011");
  const service = serviceOf(serviceID);
  const verifyIt = service && productOf(service).verify;
  return verifyIt ? verifyIt(billersCode, { service, body }, world) : failure("012");
}
