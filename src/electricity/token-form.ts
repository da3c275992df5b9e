import Type from "typebox";
import type { ElectricityToken } from "../ports/electricity-payload.ts";
import type { TokenForm } from "../purchases/tokens.ts";

/** `1234 5678 9012 3456 7890` */
const inGroups = (token: string): string => token.replace(/(\d{4})(?=\d)/g, "$1 ");

/** The last group only. */
const masked = (token: string): string => `**** **** **** **** ${token.slice(-4)}`;

/** Electricity's tokens: 20 digits that are typed into the meter. */
export const ELECTRICITY_TOKENS: TokenForm = {
  kinds: ["kct1", "kct2", "credit", "bonus"] satisfies ElectricityToken["kind"][],
  written: inGroups,
  masked,
  valueText: "20 digits in groups of four.",
  useText: "Enter them into the meter in this order.",
  members: { units_kwh: Type.Optional(Type.String()) },
};
