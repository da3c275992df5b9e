import { naira } from "../vendors/field.ts";
import { json, type VendorAnswer } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { answerForeignVariations, FOREIGN_AIRTIME } from "./international.ts";
import { BOUQUETS } from "./products/cable-bouquets.ts";

type CategoryName = "airtime" | "data" | "electricity-bill" | "tv-subscription";

export interface Service {
  readonly id: string;
  readonly name: string;
  readonly category: CategoryName | typeof FOREIGN_AIRTIME;
  readonly minimumKobo: bigint;
  readonly maximumKobo: bigint;
  /** What the reseller keeps, in 1/100 of a percent. */
  readonly commissionBasisPoints: bigint;
}

/** As the vendor writes it: `3.00`. */
export const commissionOf = ({
  commissionBasisPoints,
}: Service): { readonly rate: string; readonly rate_type: "percent" } => ({
  rate: naira(commissionBasisPoints),
  rate_type: "percent",
});

const airtime = (id: string, name: string, commissionBasisPoints: bigint): Service => ({
  id,
  name: `${name} Airtime VTU`,
  category: "airtime",
  minimumKobo: 5_000n,
  maximumKobo: 5_000_000n,
  commissionBasisPoints,
});
const data = (id: string, name: string): Service => ({
  id,
  name: `${name} Data`,
  category: "data",
  minimumKobo: 100n,
  maximumKobo: 100_000_000n,
  commissionBasisPoints: 300n,
});
const disco = (id: string, name: string, commissionBasisPoints: bigint): Service => ({
  id,
  name: `${name} Payment`,
  category: "electricity-bill",
  minimumKobo: 50_000n,
  maximumKobo: 50_000_000n,
  commissionBasisPoints,
});

const tv = (id: string, name: string, commissionBasisPoints: bigint): Service => ({
  id,
  name,
  category: "tv-subscription",
  minimumKobo: 100n,
  maximumKobo: 100_000_000n,
  commissionBasisPoints,
});

export const SERVICES: readonly Service[] = [
  airtime("mtn", "MTN", 300n),
  airtime("glo", "GLO", 400n),
  airtime("airtel", "Airtel", 340n),
  airtime("etisalat", "9mobile", 400n),
  data("mtn-data", "MTN"),
  data("airtel-data", "Airtel"),
  data("glo-data", "GLO"),
  data("glo-sme-data", "GLO SME"),
  data("etisalat-data", "9mobile"),
  data("9mobile-sme-data", "9mobile SME"),
  disco("ikeja-electric", "Ikeja Electric", 100n),
  disco("eko-electric", "Eko Electric", 100n),
  disco("kano-electric", "Kano Electric", 100n),
  disco("portharcourt-electric", "Port Harcourt Electric", 200n),
  disco("jos-electric", "Jos Electric", 90n),
  disco("ibadan-electric", "Ibadan Electric", 110n),
  disco("kaduna-electric", "Kaduna Electric", 150n),
  disco("abuja-electric", "Abuja Electric", 120n),
  disco("enugu-electric", "Enugu Electric", 140n),
  disco("benin-electric", "Benin Electric", 150n),
  disco("aba-electric", "Aba Electric", 170n),
  disco("yola-electric", "Yola Electric", 120n),
  tv("dstv", "DSTV Subscription", 150n),
  tv("gotv", "Gotv Payment", 150n),
  tv("startimes", "Startimes Subscription", 200n),
  tv("showmax", "ShowMax", 150n),
];

/** How a category's services are listed. */
interface Category {
  readonly name: string;
  readonly fee: string;
  readonly productType: "fix" | "flexible";
  /** What its services are sold by, at first; absent where any amount is sold. */
  variations?(service: Service): Variation[];
}

const CATEGORIES: Readonly<Record<CategoryName, Category>> = {
  airtime: { name: "Airtime Recharge", fee: "0 %", productType: "flexible" },
  data: { name: "Data Services", fee: "0 %", productType: "fix", variations: bundles },
  "electricity-bill": { name: "Electricity Bill", fee: "N0", productType: "flexible" },
  "tv-subscription": {
    name: "TV Subscription",
    fee: "N0",
    productType: "fix",
    variations: ({ id }) => [...(BOUQUETS[id] ?? [])],
  },
};

/** Undefined: one that is in no list. */
const categoryOf = ({ category }: Service): Category | undefined =>
  category === FOREIGN_AIRTIME ? undefined : CATEGORIES[category];

/** It has countries and operators of its own, and is in no category's list. */
const ABROAD: Service = {
  id: FOREIGN_AIRTIME,
  name: "International Airtime",
  category: FOREIGN_AIRTIME,
  minimumKobo: 100n,
  maximumKobo: 50_000_000n,
  commissionBasisPoints: 300n,
};

export const serviceOf = (id: unknown): Service | undefined =>
  [...SERVICES, ABROAD].find((service) => service.id === id);

export interface Variation {
  readonly code: string;
  readonly name: string;
  readonly amountKobo: bigint;
}

const WORDS = ["1GB", "2GB", "3.5GB", "10GB"] as const;

/** Plans of data at first; volume and validity are nowhere but in the free text. */
function bundles({ id, name }: Service): Variation[] {
  const network = name.replace(" Data", "");
  return [
    { code: `${id}-100mb-1d`, name: `${network} N100 100MB - 24 hrs`, amountKobo: 10_000n },
    { code: `${id}-1gb-1d`, name: `${network} Data Daily Plan N350 - 1GB (1 Day)`, amountKobo: 35_000n },
    ...WORDS.map((size, index) => ({
      code: `${id}-${size.toLowerCase().replace(".", "-")}-30d`,
      name: `${network} Data ${size} - 30 days`,
      amountKobo: 50_000n * BigInt(index * 2 + 1),
    })),
    { code: `${id}-xtra`, name: `${network} Xtratalk Weekly Bundle`, amountKobo: 50_050n },
  ];
}

/** What is sold today: a plan may have gone, or be sold under a new code at a new price. */
export function variationsOf(world: VendorWorld, service: Service): Variation[] {
  const changes = changesOf(world, service.id);
  const first = categoryOf(service)?.variations?.(service) ?? [];
  return first.flatMap((variation) => {
    const change = changes[variation.code];
    if (change === undefined) return [variation];
    if (change === "gone") return [];
    // The old code goes with the old price.
    const amountKobo = (variation.amountKobo * 110n) / 100n;
    return [{ code: `${variation.code}-new`, name: variation.name, amountKobo }];
  });
}

type Change = "gone" | "raised";

const changesOf = (world: VendorWorld, serviceId: string): Readonly<Record<string, Change>> =>
  (world.recall(`variations:${serviceId}`) ?? {}) as Readonly<Record<string, Change>>;

/** Takes the plan off the list, or raises its price, and tells the caller's webhook. */
export function changeVariation(world: VendorWorld, service: Service, code: string, change: Change): void {
  const added = change === "raised" ? [`${code}-new`] : [];
  world.keep(`variations:${service.id}`, { ...changesOf(world, service.id), [code]: change });
  world.callBack(world.now, {
    type: "variations-update",
    data: {
      serviceID: service.id,
      service: service.name,
      summary: { added_variation_codes: added, updated_variation_codes: [], removed_variation_codes: [code] },
      content: { variations: inWire(variationsOf(world, service)), varations: inWire(variationsOf(world, service)) },
      actionRequired: {
        added: { total: added.length, variation_codes: added },
        updated: { total: 0, variation_codes: [] },
        removed: { total: 1, variation_codes: [code] },
      },
      datetime: new Date(world.now).toISOString(),
    },
  });
}

/** Answers of the three lists put "000" into `response_description`, where all other calls put it into `code`. */
const list = (content: unknown): VendorAnswer => json({ response_description: "000", content });

export const answerCategories = (): VendorAnswer =>
  list(Object.entries(CATEGORIES).map(([identifier, { name }]) => ({ identifier, name })));

/** Spelling and types are the vendor's: minima as text, maxima as numbers. */
export const answerServices = (category: string | null): VendorAnswer =>
  list(
    SERVICES.filter((service) => service.category === category).map((service) => ({
      serviceID: service.id,
      name: service.name,
      minimium_amount: String(service.minimumKobo / 100n),
      maximum_amount: Number(service.maximumKobo / 100n),
      convinience_fee: categoryOf(service)?.fee,
      product_type: categoryOf(service)?.productType,
      image: `https://vendor.test/images/${service.id}.jpg`,
    })),
  );

/** GET options: what a service asks for besides. None of those that are sold here has any. */
export const answerOptions = (query: URLSearchParams): VendorAnswer =>
  serviceOf(query.get("serviceID"))
    ? list([])
    : json({ response_description: "012", content: { errors: "INVALID SERVICE" } });

/** Some services have the older key, some both. */
export function answerVariations(world: VendorWorld, query: URLSearchParams): VendorAnswer {
  const service = serviceOf(query.get("serviceID"));
  if (service?.id === FOREIGN_AIRTIME) return answerForeignVariations(query);
  if (!service || !categoryOf(service)?.variations)
    return json({ response_description: "012", content: { errors: "INVALID SERVICE" } });
  const variations = inWire(variationsOf(world, service));
  const keys = service.id.startsWith("glo") ? { varations: variations } : { variations, varations: variations };
  return list({
    ServiceName: service.name,
    serviceID: service.id,
    convinience_fee: "0 %",
    ...(service.id === "airtel-data" ? { variations } : keys),
  });
}

const inWire = (variations: readonly Variation[]) =>
  variations.map(({ code, name, amountKobo }) => ({
    variation_code: code,
    name,
    variation_amount: `${amountKobo / 100n}.${String(amountKobo % 100n).padStart(2, "0")}`,
    fixedPrice: "Yes",
  }));
