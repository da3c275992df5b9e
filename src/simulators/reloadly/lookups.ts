import { isRecord } from "../vendors/json.ts";
import { json, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { failure } from "./errors.ts";
import { allOperators, amountOf, type Operator, operatorOf } from "./operators.ts";
import { pageOf } from "./pages.ts";

/** What may be looked up besides operators: countries, rates, discounts, promotions. The account, and all that it sells, is in naira. */

const NIGERIA = {
  isoName: "NG",
  name: "Nigeria",
  continent: "Africa",
  currencyCode: "NGN",
  currencyName: "Nigerian Naira",
  currencySymbol: "₦",
  flag: "https://vendor.test/flags/ng.svg",
  callingCodes: ["+234"],
};

/** GET /countries. */
export const answerCountries = (): VendorAnswer => json([NIGERIA]);

/** GET /countries/{iso}. */
export const answerCountry = ({ path }: VendorRequest, world: VendorWorld, iso: string): VendorAnswer =>
  iso.toUpperCase() === NIGERIA.isoName ? json(NIGERIA) : failure(world, path, "COUNTRY_NOT_SUPPORTED");

/** POST /operators/fx-rate: what arrives for an amount. */
export function answerRate({ body, path }: VendorRequest, world: VendorWorld): VendorAnswer {
  if (!isRecord(body)) return failure(world, path, "JSON_SYNTAX_ERROR");
  const operator = operatorOf(world, body.operatorId);
  if (!operator) return failure(world, path, "OPERATOR_NOT_FOUND");
  if (amountOf(body.amount) === undefined) return failure(world, path, "INVALID_INPUT_PROVIDED");
  return json({ id: operator.id, name: operator.name, fxRate: Number(body.amount), currencyCode: "NGN" });
}

const PERCENTAGE = 3;
const COMMISSIONS_PER_PAGE = 200;

const commissionOf = (operator: Operator, at: number) => ({
  operator: {
    operatorId: operator.id,
    name: operator.name,
    countryCode: "NG",
    data: operator.kind === "data",
    bundle: false,
    status: true,
  },
  percentage: PERCENTAGE,
  internationalPercentage: PERCENTAGE,
  localPercentage: 0,
  updatedAt: new Date(at).toISOString().slice(0, 19).replace("T", " "),
});

/** GET /operators/commissions. */
export const answerCommissions = ({ query }: VendorRequest, world: VendorWorld): VendorAnswer =>
  json(
    pageOf(
      allOperators().map((operator) => commissionOf(operator, world.now)),
      query,
      COMMISSIONS_PER_PAGE,
    ),
  );

/** GET /operators/{id}/commissions. */
export function answerCommission({ path }: VendorRequest, world: VendorWorld, id: string): VendorAnswer {
  const operator = operatorOf(world, id);
  return operator ? json(commissionOf(operator, world.now)) : failure(world, path, "OPERATOR_NOT_FOUND");
}

/** GET /promotions, by pages, and those of a country or an operator: there are none. */
export const answerPromotions = ({ path, query }: VendorRequest): VendorAnswer =>
  json(path === "/promotions" ? pageOf([], query, COMMISSIONS_PER_PAGE) : []);
