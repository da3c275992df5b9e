import { json, type VendorAnswer } from "../vendors/vendor.ts";

/** The service under which airtime and data abroad are sold, by country, kind and operator. */
export const FOREIGN_AIRTIME = "foreign-airtime";

interface Country {
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  readonly prefix: string;
  readonly operators: readonly (readonly [id: string, name: string])[];
}

const COUNTRIES: readonly Country[] = [
  {
    code: "GH",
    name: "Ghana",
    currency: "GHS",
    prefix: "233",
    operators: [
      ["5", "Ghana MTN"],
      ["6", "Ghana Telecel"],
    ],
  },
  { code: "KE", name: "Kenya", currency: "KES", prefix: "254", operators: [["12", "Kenya Safaricom"]] },
  { code: "ZA", name: "South Africa", currency: "ZAR", prefix: "27", operators: [["21", "South Africa Vodacom"]] },
];

const PRODUCT_TYPES = [
  { product_type_id: 1, name: "Mobile Top Up" },
  { product_type_id: 4, name: "Mobile Data" },
];

const list = (content: unknown): VendorAnswer => json({ response_description: "000", content });
const NO_COUNTRY = json({ response_description: "011", content: { errors: "INVALID COUNTRY CODE" } });

const countryIn = (query: URLSearchParams): Country | undefined =>
  COUNTRIES.find(({ code }) => code === query.get("code")?.toUpperCase());

/** GET get-international-airtime-countries. */
export const answerCountries = (): VendorAnswer =>
  list({
    countries: COUNTRIES.map(({ operators: _, ...country }) => ({
      ...country,
      flag: `https://vendor.test/flags/${country.code}.png`,
    })),
  });

/** GET get-international-airtime-product-types?code=. */
export const answerProductTypes = (query: URLSearchParams): VendorAnswer =>
  countryIn(query) ? list(PRODUCT_TYPES) : NO_COUNTRY;

/** GET get-international-airtime-operators?code=&product_type_id=. */
export function answerOperators(query: URLSearchParams): VendorAnswer {
  const country = countryIn(query);
  if (!country) return NO_COUNTRY;
  return list(
    country.operators.map(([operator_id, name]) => ({
      operator_id,
      name,
      operator_image: `https://vendor.test/operators/${operator_id}.png`,
    })),
  );
}

/** GET service-variations?serviceID=foreign-airtime&operator_id=&product_type_id=. */
export function answerForeignVariations(query: URLSearchParams): VendorAnswer {
  const id = query.get("operator_id");
  const [, name] = COUNTRIES.flatMap(({ operators }) => operators).find(([operator]) => operator === id) ?? [];
  if (name === undefined) return json({ response_description: "012", content: { errors: "INVALID OPERATOR" } });
  const variations = variationsOf(String(id), name).filter(
    ({ product_type_id }) => String(product_type_id) === query.get("product_type_id"),
  );
  return list({
    ServiceName: "International Airtime",
    serviceID: FOREIGN_AIRTIME,
    convinience_fee: "0 %",
    currency: "NGN",
    variations,
    varations: variations,
  });
}

/** The variation that a purchase names, where it belongs to the operator, the kind and the country that it names. */
export function foreignVariation(body: Readonly<Record<string, unknown>>): string | undefined {
  const country = COUNTRIES.find(({ code }) => code === String(body.country_code ?? "").toUpperCase());
  const [id, name] = country?.operators.find(([operator]) => operator === String(body.operator_id)) ?? [];
  if (id === undefined || name === undefined) return undefined;
  return variationsOf(id, name).find(
    ({ variation_code, product_type_id }) =>
      variation_code === String(body.variation_code) && String(product_type_id) === String(body.product_type_id),
  )?.variation_code;
}

const variationsOf = (operatorId: string, name: string) => [
  {
    variation_code: `${operatorId}11`,
    product_type_id: 1,
    name,
    fixedPrice: "No",
    variation_amount: null,
    variation_amount_min: "1",
    variation_amount_max: "500",
    variation_rate: 132.5,
    charged_amount: null,
    charged_currency: "NGN",
  },
  {
    variation_code: `${operatorId}41`,
    product_type_id: 4,
    name: `${name} 1GB`,
    fixedPrice: "Yes",
    variation_amount: "2500.00",
    variation_amount_min: "0.00",
    variation_amount_max: "0.00",
    variation_rate: 1,
    charged_amount: 2500,
    charged_currency: "NGN",
  },
];
