import { DISCOS } from "../../kernel/discos.ts";
import type { Network } from "../../kernel/networks.ts";

/** The vendor's `serviceID`s. `etisalat` is 9mobile; “9mobile” is no product there. Source: the vendor's GET services. */
export const AIRTIME_SERVICES: Readonly<Record<Network, string>> = {
  mtn: "mtn",
  airtel: "airtel",
  glo: "glo",
  "9mobile": "etisalat",
};

export const DATA_SERVICES: readonly (readonly [serviceId: string, network: Network])[] = [
  ["mtn-data", "mtn"],
  ["airtel-data", "airtel"],
  ["glo-data", "glo"],
  ["glo-sme-data", "glo"],
  ["etisalat-data", "9mobile"],
  ["9mobile-sme-data", "9mobile"],
];

/** The vendor's names of the discos are our codes. */
export const isDiscoService = (serviceId: string): boolean => Object.hasOwn(DISCOS, serviceId);

/** A plan's code names its service too: the vendor needs both to sell it. */
export const planCode = (serviceId: string, variation: string): string => `${serviceId}:${variation}`;

export function splitPlanCode(code: string): { readonly serviceId: string; readonly variation: string } {
  const colon = code.indexOf(":");
  return { serviceId: code.slice(0, colon), variation: code.slice(colon + 1) };
}
