import { parseJson } from "../vendors/json.ts";
import type { VendorAnswer, VendorRequest, VendorSimulator } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { answerCategories, answerOptions, answerServices, answerVariations } from "./catalogue.ts";
import { failure, isCode } from "./codes.ts";
import { CONTRACT } from "./contract.ts";
import { answerCountries, answerOperators, answerProductTypes } from "./international.ts";
import { answerBalance, pay, requery } from "./pay.ts";
import { controlCards } from "./products/smartcard.ts";
import { SETTINGS } from "./settings.ts";
import { verify } from "./verify.ts";

type Handler = (request: VendorRequest, world: VendorWorld) => VendorAnswer;

/** GETs come with the public key, POSTs with the secret one; or all with the account's e-mail address and password, the older way. */
const CALLS: Readonly<Record<string, Handler>> = {
  "GET /api/service-categories": answerCategories,
  "GET /api/services": ({ query }) => answerServices(query.get("identifier")),
  "GET /api/service-variations": ({ query }, world) => answerVariations(world, query),
  "GET /api/options": ({ query }) => answerOptions(query),
  "GET /api/get-international-airtime-countries": answerCountries,
  "GET /api/get-international-airtime-product-types": ({ query }) => answerProductTypes(query),
  "GET /api/get-international-airtime-operators": ({ query }) => answerOperators(query),
  "GET /api/balance": (_request, world) => answerBalance(world),
  "POST /api/merchant-verify": verify,
  "POST /api/pay": pay,
  "POST /api/requery": requery,
};

/** VTpass, version 2 of its API. Source: the vendor's documentation; docs/guides/vendor-simulators.md says what is steerable. */
export const vtpass: VendorSimulator = {
  name: "vtpass",
  settings: SETTINGS,
  contract: CONTRACT,
  control: controlCards,
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
  const basic = /^basic (\S+)$/i.exec(String(headers.authorization ?? ""))?.[1];
  if (basic !== undefined)
    return Buffer.from(basic, "base64").toString() === `${world.setting("email")}:${world.setting("password")}`;
  const [header, key] =
    method === "GET" ? (["public-key", "publicKey"] as const) : (["secret-key", "secretKey"] as const);
  return headers["api-key"] === world.setting("apiKey") && headers[header] === world.setting(key);
}
