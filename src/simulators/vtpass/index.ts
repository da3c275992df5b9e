import { parseJson } from "../vendors/json.ts";
import type { VendorAnswer, VendorRequest, VendorSimulator } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { failure } from "./answers.ts";
import { answerCategories, answerServices, answerVariations } from "./catalogue.ts";
import { isCode } from "./codes.ts";
import { answerBalance, pay, requery } from "./pay.ts";
import { SETTINGS } from "./settings.ts";
import { verify } from "./verify.ts";

type Handler = (request: VendorRequest, world: VendorWorld) => VendorAnswer;

/** GETs are signed with the public key, POSTs with the secret one. */
const CALLS: Readonly<Record<string, Handler>> = {
  "GET /api/service-categories": answerCategories,
  "GET /api/services": ({ query }) => answerServices(query.get("identifier")),
  "GET /api/service-variations": ({ query }, world) => answerVariations(world, query.get("serviceID")),
  "GET /api/balance": (_request, world) => answerBalance(world),
  "POST /api/merchant-verify": verify,
  "POST /api/pay": pay,
  "POST /api/requery": requery,
};

/** VTpass, version 2 of its API. Source: the vendor's documentation; docs/guides/vendor-simulators.md says what is steerable. */
export const vtpass: VendorSimulator = {
  name: "vtpass",
  settings: SETTINGS,
  handle(request, world) {
    const handler = CALLS[`${request.method} ${request.path}`];
    if (!handler) return { status: 404, body: { code: "404", response_description: "NOT FOUND" } };
    const accountCode = world.setting("accountCode");
    if (isCode(accountCode)) return failure(accountCode);
    return isAuthentic(request, world) ? handler(request, world) : failure("087");
  },
  isTaken: (status, body) => {
    const answer = parseJson(body);
    return status === 200 && typeof answer === "object" && answer !== null && "response" in answer
      ? answer.response === "success"
      : false;
  },
};

function isAuthentic({ method, headers }: VendorRequest, world: VendorWorld): boolean {
  const [header, key] =
    method === "GET" ? (["public-key", "publicKey"] as const) : (["secret-key", "secretKey"] as const);
  return headers["api-key"] === world.setting("apiKey") && headers[header] === world.setting(key);
}
