import { naira } from "../vendors/field.ts";
import { json, type VendorAnswer, type VendorRequest, type VendorSimulator } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { CONTRACT } from "./contract.ts";
import { failure, unrouted } from "./errors.ts";
import {
  answerCommission,
  answerCommissions,
  answerCountries,
  answerCountry,
  answerPromotions,
  answerRate,
} from "./lookups.ts";
import { faultOfToken, giveToken } from "./oauth.ts";
import { answerAllOperators, answerOperator, answerOperators, detectOperator, lookUpOperator } from "./operators.ts";
import { floatKobo, SETTINGS } from "./settings.ts";
import { topUp } from "./topups.ts";
import { answerReport, answerStatus, answerTransaction } from "./transactions.ts";

type Handler = (request: VendorRequest, world: VendorWorld, captured: string) => VendorAnswer;

const CALLS: readonly (readonly [call: RegExp, handler: Handler])[] = [
  [/^GET \/countries$/, answerCountries],
  [/^GET \/countries\/([A-Za-z]{2})$/, answerCountry],
  [/^GET \/operators$/, answerAllOperators],
  [/^GET \/operators\/countries\/([A-Za-z]{2})$/, answerOperators],
  [
    /^GET \/operators\/(?:auto-detect|mnp-lookup)\/phone\/([^/]+)\/(?:countries|country-code)\/[A-Za-z]{2}$/,
    detectOperator,
  ],
  [/^POST \/(?:mnp-lookup\/operators|operators\/mnp-lookup)$/, lookUpOperator],
  [/^POST \/operators\/fx-rate$/, answerRate],
  [/^GET \/operators\/(\d+)$/, answerOperator],
  [/^GET \/operators\/commissions$/, answerCommissions],
  [/^GET \/operators\/(\d+)\/commissions$/, answerCommission],
  [/^GET \/promotions(?:\/country-codes\/[A-Za-z]{2}|\/operators\/\d+)?$/, answerPromotions],
  [/^POST \/topups(?:-async)?$/, topUp],
  [/^GET \/topups\/(\d+)\/status$/, answerStatus],
  [/^GET \/topups\/reports\/transactions$/, answerReport],
  [/^GET \/topups\/reports\/transactions\/(\d+)$/, answerTransaction],
  [/^GET \/accounts\/balance$/, answerBalance],
];

const MEDIA_TYPE = "application/com.reloadly.topups-v1+json";

/**
 * Reloadly's airtime API. Its two hosts, for tokens and for top-ups, are one here: their paths don't meet.
 * Source: the vendor's documentation; docs/guides/vendor-simulators.md says what is steerable.
 */
export const reloadly: VendorSimulator = {
  name: "reloadly",
  settings: SETTINGS,
  contract: CONTRACT,
  handle(request, world) {
    const { method, path, headers } = request;
    if (method === "POST" && path === "/oauth/token") return giveToken(request, world);
    const call = `${method} ${path}`;
    const found = CALLS.find(([pattern]) => pattern.test(call));
    if (!found) return unrouted(world, path, 404);
    if (!String(headers.accept ?? "").includes(MEDIA_TYPE)) return unrouted(world, path, 406);
    const fault = faultOfToken(request, world);
    if (fault) return failure(world, path, fault);
    const [pattern, handler] = found;
    return handler(request, world, pattern.exec(call)?.[1] ?? "");
  },
};

/** GET /accounts/balance: with five decimals. */
function answerBalance(_request: VendorRequest, world: VendorWorld): VendorAnswer {
  return json({
    balance: Number(`${naira(floatKobo(world))}345`),
    currencyCode: "NGN",
    currencyName: "Nigerian Naira",
    updatedAt: new Date(world.now).toISOString(),
  });
}
