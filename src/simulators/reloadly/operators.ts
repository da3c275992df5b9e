import { storedMsisdn } from "../../kernel/msisdn.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import { guessNetwork, type Network } from "../../kernel/networks.ts";
import { naira } from "../vendors/field.ts";
import { isRecord } from "../vendors/json.ts";
import { json, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { failure } from "./errors.ts";
import { pageOf } from "./pages.ts";

export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly kind: "airtime" | "data" | "pin";
  readonly amounts: RangeOfAmounts | readonly FixedAmount[];
}

interface RangeOfAmounts {
  readonly minimumKobo: bigint;
  readonly maximumKobo: bigint;
}

interface FixedAmount {
  readonly kobo: bigint;
  /** Volume and validity are nowhere else. */
  readonly description: string;
}

export const isRange = (amounts: Operator["amounts"]): amounts is RangeOfAmounts => "minimumKobo" in amounts;

const airtime = (id: number, name: string): Operator => ({
  id,
  name,
  kind: "airtime",
  amounts: { minimumKobo: 5_000n, maximumKobo: 5_000_000n },
});
const data = (id: number, name: string): Operator => ({
  id,
  name,
  kind: "data",
  amounts: [
    { kobo: 10_000n, description: " 100MB - 24 hrs" },
    { kobo: 35_000n, description: "1GB Daily Plan (1 Day)" },
    { kobo: 50_000n, description: "1GB - 30 days" },
    { kobo: 75_050n, description: "1.5GB 30 Days" },
    { kobo: 150_000n, description: "3.5GB Monthly Plan" },
    { kobo: 350_000n, description: "10GB 30 Days" },
    { kobo: 60_000n, description: "Xtratalk Weekly Bundle" },
  ],
});

const OPERATORS: readonly Operator[] = [
  airtime(341, "MTN Nigeria"),
  airtime(342, "Airtel Nigeria"),
  airtime(344, "Glo Nigeria"),
  airtime(340, "9Mobile (Etisalat) Nigeria"),
  data(345, "MTN Nigeria Data"),
  data(646, "Airtel Nigeria Data"),
  data(647, "Glo Nigeria Data"),
  data(931, "9Mobile (Etisalat) Nigeria Data"),
  { id: 1206, name: "MTN Nigeria PIN", kind: "pin", amounts: [{ kobo: 50_000n, description: "NGN 500 voucher" }] },
];

type Change = "gone" | "raised";

const changesOf = (world: VendorWorld, id: number): Readonly<Record<string, Change>> =>
  (world.recall(`amounts:${id}`) ?? {}) as Readonly<Record<string, Change>>;

/** As it sells today: an amount may have gone, or cost a tenth more. */
export function operatorOf(world: VendorWorld, id: unknown): Operator | undefined {
  const operator = OPERATORS.find((candidate) => String(candidate.id) === String(id));
  if (!operator || isRange(operator.amounts)) return operator;
  const changes = changesOf(world, operator.id);
  const amounts = operator.amounts.flatMap((amount) => {
    const change = changes[String(amount.kobo)];
    if (change === undefined) return [amount];
    return change === "gone" ? [] : [{ ...amount, kobo: (amount.kobo * 110n) / 100n }];
  });
  return { ...operator, amounts };
}

export function changeAmount(world: VendorWorld, { id }: Operator, kobo: bigint, change: Change): void {
  world.keep(`amounts:${id}`, { ...changesOf(world, id), [String(kobo)]: change });
}

export const sells = ({ amounts }: Operator, kobo: bigint): boolean =>
  isRange(amounts)
    ? kobo >= amounts.minimumKobo && kobo <= amounts.maximumKobo
    : amounts.some((amount) => amount.kobo === kobo);

/** GET /operators/countries/{iso}: this simulator sells in one. Each kind is left out when its flag says false. */
export const answerOperators = ({ query }: VendorRequest, world: VendorWorld, iso: string): VendorAnswer =>
  json(iso.toUpperCase() === "NG" ? shownOperators(query, world) : []);

/** GET /operators: the same, by pages. */
export const answerAllOperators = ({ query }: VendorRequest, world: VendorWorld): VendorAnswer =>
  json(pageOf(shownOperators(query, world), query, OPERATORS_PER_PAGE));

const OPERATORS_PER_PAGE = 200;

function shownOperators(query: URLSearchParams, world: VendorWorld) {
  const isWanted = ({ kind }: Operator) =>
    !(kind === "data" && query.get("includeData") === "false") &&
    !(kind === "pin" && query.get("includePin") === "false");
  return OPERATORS.filter(isWanted).flatMap(({ id }) => {
    const operator = operatorOf(world, id);
    return operator ? [inWire(operator, query.get("suggestedAmountsMap") === "true")] : [];
  });
}

/** By the network that a number was first given to. */
const AIRTIME_OF: Readonly<Record<Network, number>> = { mtn: 341, airtel: 342, glo: 344, "9mobile": 340 };

/** GET /operators/auto-detect/phone/{phone}/countries/{iso}: the operator for airtime. mnp-lookup knows no more here. */
export const detectOperator = (request: VendorRequest, world: VendorWorld, phone: string): VendorAnswer =>
  operatorFor(decodeURIComponent(phone), request.path.split("/").at(-1) ?? "", request, world);

/** POST /mnp-lookup/operators. */
export function lookUpOperator(request: VendorRequest, world: VendorWorld): VendorAnswer {
  const { phone, countryCode } = isRecord(request.body) ? request.body : {};
  return operatorFor(String(phone), String(countryCode), request, world);
}

function operatorFor(phone: string, iso: string, request: VendorRequest, world: VendorWorld): VendorAnswer {
  const national = iso.toUpperCase() === "NG" ? nationalIn(phone.replaceAll(/[\s()-]/g, "")) : undefined;
  const network = national === undefined ? null : guessNetwork(storedMsisdn(`234${national}`));
  return network === null
    ? failure(world, request.path, "COULD_NOT_AUTO_DETECT_OPERATOR")
    : answerOperator(request, world, String(AIRTIME_OF[network]));
}

/** Ten digits of a Nigerian phone, however it was written; a test number has them too. */
export const nationalIn = (phone: string): string | undefined =>
  /^(?:\+?234|0)?([789]\d{9}|80000000\d\d)$/.exec(phone)?.[1];

export const allOperators = (): readonly Operator[] => OPERATORS;

/** GET /operators/{id}. */
export function answerOperator(
  { path, query }: Pick<VendorRequest, "path" | "query">,
  world: VendorWorld,
  id: string,
): VendorAnswer {
  const operator = operatorOf(world, id);
  return operator
    ? json(inWire(operator, query.get("suggestedAmountsMap") === "true"))
    : failure(world, path, "OPERATOR_NOT_FOUND");
}

/** Lists hold numbers (`750.5`), maps have formatted decimals as keys (`"750.50"`). The account is one in naira. */
function inWire({ id, name, kind, amounts }: Operator, suggestedAmountsMap: boolean) {
  const range = isRange(amounts) ? amounts : undefined;
  const fixed = isRange(amounts) ? [] : amounts;
  return {
    operatorId: id,
    name,
    bundle: false,
    data: kind === "data",
    pin: kind === "pin",
    comboProduct: false,
    supportsLocalAmounts: false,
    denominationType: range ? "RANGE" : "FIXED",
    senderCurrencyCode: "NGN",
    senderCurrencySymbol: "₦",
    destinationCurrencyCode: "NGN",
    destinationCurrencySymbol: "₦",
    commission: 3,
    internationalDiscount: 3,
    localDiscount: 0,
    mostPopularAmount: range ? 500 : null,
    minAmount: range ? Number(naira(range.minimumKobo)) : null,
    maxAmount: range ? Number(naira(range.maximumKobo)) : null,
    localMinAmount: null,
    localMaxAmount: null,
    country: { isoName: "NG", name: "Nigeria" },
    fx: { rate: 1, currencyCode: "NGN" },
    logoUrls: [`https://vendor.test/logos/${id}.png`],
    fixedAmounts: fixed.map(({ kobo }) => Number(naira(kobo))),
    fixedAmountsDescriptions: Object.fromEntries(fixed.map(({ kobo, description }) => [naira(kobo), description])),
    localFixedAmounts: [],
    localFixedAmountsDescriptions: {},
    suggestedAmounts: range ? [100, 500, 1000] : [],
    ...(suggestedAmountsMap ? { suggestedAmountsMap: range ? { "100.00": 100, "500.00": 500 } : {} } : {}),
    promotions: [],
    geographicalRechargePlans: [],
  };
}

/** An amount as number or text; undefined when it is none. */
export function amountOf(amount: unknown): bigint | undefined {
  const kobo = readVendorNaira(amount);
  return kobo !== undefined && kobo > 0n ? kobo : undefined;
}
