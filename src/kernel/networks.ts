import { isTestNumber, type Msisdn } from "./msisdn.ts";

/** Mobile networks of Nigeria that sell to the public. `9mobile` has been called T2 since August 2025; the id stays. */
export const NETWORKS = ["mtn", "airtel", "glo", "9mobile"] as const;
export type Network = (typeof NETWORKS)[number];

const ALIASES: Readonly<Record<string, Network>> = {
  t2: "9mobile",
  t2mobile: "9mobile",
  etisalat: "9mobile",
  globacom: "glo",
};

/** A network by its ID or an alias, case-insensitive; undefined if unknown. */
export function parseNetwork(name: string): Network | undefined {
  const lower = name.trim().toLowerCase();
  return NETWORKS.find((network) => network === lower) ?? (Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : undefined);
}

/**
 * First digits of national numbers (without the trunk 0), by the network they were first given to. Portability since 2013
 * makes this a guess. Ranges of Smile (702), Ntel (804), Mafab (801) and the closed CDMA networks are left out, and so is
 * 707, which sources give to both Glo and MTN.
 * Source: NCC numbering plan as in google/libphonenumber, resources/carrier/en/234.txt (MTN took over Visafone's 704, 7025
 * and 7026); 090x and 091x, which that file lacks, from the networks' own lists.
 */
const PREFIXES: Readonly<Record<Network, readonly string[]>> = {
  mtn: "703 704 706 7025 7026 803 806 810 813 814 816 903 906 913 916".split(" "),
  airtel: "701 708 802 808 812 901 902 904 907 911 912".split(" "),
  glo: "705 805 807 811 815 905 915".split(" "),
  "9mobile": "809 817 818 908 909".split(" "),
};

const NETWORK_BY_PREFIX = new Map(NETWORKS.flatMap((network) => PREFIXES[network].map((prefix) => [prefix, network])));

/** The network to which a number was first assigned; null if its range belongs to none of the four. `mtn` for test numbers. */
export function guessNetwork(msisdn: Msisdn): Network | null {
  if (!msisdn.startsWith("234")) return null;
  if (isTestNumber(msisdn)) return "mtn";
  return NETWORK_BY_PREFIX.get(msisdn.slice(3, 6)) ?? NETWORK_BY_PREFIX.get(msisdn.slice(3, 7)) ?? null;
}

/** Mobile country code 621 and the network's code: how vendors' reports name the network. Source: ITU-T E.212 list. */
const NETWORK_BY_MCC_MNC: Readonly<Record<string, Network>> = {
  "62120": "airtel",
  "62130": "mtn",
  "62150": "glo",
  "62160": "9mobile",
};

/** The network of an MCC and MNC, written together or with a dash or space (`62130`, `621-30`); undefined when unknown. */
export const networkOfMccMnc = (mccMnc: string): Network | undefined => {
  const digits = mccMnc.replace(/[-\s]/g, "");
  return Object.hasOwn(NETWORK_BY_MCC_MNC, digits) ? NETWORK_BY_MCC_MNC[digits] : undefined;
};
