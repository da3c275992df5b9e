/** Plans that are copied from the vendors' lists, with their history: one catalogue for each product that is sold by plans. */
export { type Catalogue, type ListedPlan, makeCatalogue } from "./catalogue.service.ts";
export type { PlanReading } from "./plan-reading.ts";
export { planSources } from "./plan-sources.ts";
