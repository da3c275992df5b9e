import { SIGNATURE_HEADER, signatureOf } from "../../providers/buypower/wire/signature.ts";
import type { VendorAnswer, VendorRequest, VendorSimulator } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { failure } from "./answers.ts";
import { CONTRACT } from "./contract.ts";
import { answerStatus } from "./discos.ts";
import { SETTINGS } from "./settings.ts";
import { answerBalance, requery, vend } from "./vend.ts";
import { verify } from "./verify.ts";

const TRANSACTION = /^\/v2\/transaction\/([^/]{1,100})$/;

/** BuyPower, version 2 of its API for businesses. Source: docs.buypower.ng; docs/guides/vendor-simulators.md says what is steerable. */
export const buypower: VendorSimulator = {
  name: "buypower",
  settings: SETTINGS,
  contract: CONTRACT,
  handle(request, world) {
    const token = String(world.setting("token"));
    const isAuthentic = request.headers.authorization === `Bearer ${token}`;
    return signed(isAuthentic ? answer(request, world) : failure(401, 401, "Unauthorized"), token);
  },
};

function answer(request: VendorRequest, world: VendorWorld): VendorAnswer {
  const orderId = request.method === "GET" ? TRANSACTION.exec(request.path)?.[1] : undefined;
  if (orderId !== undefined) return requery(decodeURIComponent(orderId), world);
  switch (`${request.method} ${request.path}`) {
    case "GET /v2/check/meter":
      return verify(request, world);
    case "POST /v2/vend":
      return vend(request, world);
    case "GET /v2/discos/status":
      return answerStatus(world);
    case "GET /v2/wallet/balance":
      return answerBalance(world);
    default:
      return failure(404, 404, "Not found");
  }
}

/** Each answer carries the vendor's signature. */
function signed(given: VendorAnswer, token: string): VendorAnswer {
  const body = typeof given.body === "string" ? given.body : JSON.stringify(given.body);
  return { ...given, body, headers: { ...given.headers, [SIGNATURE_HEADER]: signatureOf(body, token) } };
}
