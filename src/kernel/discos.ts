/** The distribution companies that sell prepaid electricity, by our code. The bounds hold where a meter names none, in naira. */
export const DISCOS = {
  "ikeja-electric": { name: "Ikeja Electric", states: ["Lagos"], minimum: 1_000, maximum: 500_000 },
  "eko-electric": { name: "Eko Electricity", states: ["Lagos"], minimum: 1_000, maximum: 500_000 },
  "abuja-electric": {
    name: "Abuja Electricity",
    states: ["FCT", "Kogi", "Nasarawa", "Niger"],
    minimum: 1_000,
    maximum: 500_000,
  },
  "kano-electric": {
    name: "Kano Electricity",
    states: ["Jigawa", "Kano", "Katsina"],
    minimum: 1_000,
    maximum: 500_000,
  },
  "portharcourt-electric": {
    name: "Port Harcourt Electricity",
    states: ["Akwa Ibom", "Bayelsa", "Cross River", "Rivers"],
    minimum: 1_000,
    maximum: 500_000,
  },
  "jos-electric": {
    name: "Jos Electricity",
    states: ["Bauchi", "Benue", "Gombe", "Plateau"],
    minimum: 500,
    maximum: 500_000,
  },
  "ibadan-electric": {
    name: "Ibadan Electricity",
    states: ["Kwara", "Ogun", "Osun", "Oyo"],
    minimum: 2_000,
    maximum: 500_000,
  },
  "kaduna-electric": {
    name: "Kaduna Electric",
    states: ["Kaduna", "Kebbi", "Sokoto", "Zamfara"],
    minimum: 1_000,
    maximum: 500_000,
  },
  "enugu-electric": {
    name: "Enugu Electricity",
    states: ["Anambra", "Ebonyi", "Enugu", "Imo"],
    minimum: 1_000,
    maximum: 500_000,
  },
  "benin-electric": {
    name: "Benin Electricity",
    states: ["Delta", "Edo", "Ekiti", "Ondo"],
    minimum: 1_000,
    maximum: 500_000,
  },
  "aba-electric": { name: "Aba Power", states: ["Abia"], minimum: 500, maximum: 500_000 },
  "yola-electric": {
    name: "Yola Electricity",
    states: ["Adamawa", "Borno", "Taraba", "Yobe"],
    minimum: 500,
    maximum: 500_000,
  },
} as const satisfies Record<string, { name: string; states: readonly string[]; minimum: number; maximum: number }>;

export type Disco = keyof typeof DISCOS;

/** Short names that people and vendors use. */
const ALIASES: Readonly<Record<string, Disco>> = {
  ikeja: "ikeja-electric",
  ikedc: "ikeja-electric",
  eko: "eko-electric",
  ekedc: "eko-electric",
  abuja: "abuja-electric",
  aedc: "abuja-electric",
  kano: "kano-electric",
  kedco: "kano-electric",
  portharcourt: "portharcourt-electric",
  phed: "portharcourt-electric",
  jos: "jos-electric",
  jedc: "jos-electric",
  ibadan: "ibadan-electric",
  ibedc: "ibadan-electric",
  kaduna: "kaduna-electric",
  kaedco: "kaduna-electric",
  enugu: "enugu-electric",
  eedc: "enugu-electric",
  benin: "benin-electric",
  bedc: "benin-electric",
  aba: "aba-electric",
  apl: "aba-electric",
  yola: "yola-electric",
  yedc: "yola-electric",
};

const isDisco = (name: string): name is Disco => Object.hasOwn(DISCOS, name);

/** A disco by our code or a usual short name, in any case; undefined when it is none. */
export function parseDisco(name: string): Disco | undefined {
  const lower = name.trim().toLowerCase();
  return isDisco(lower) ? lower : Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : undefined;
}
