import { DISCOS, parseDisco } from "../kernel/discos.ts";
import type { ElectricityFacts } from "../ports/electricity-payload.ts";
import type { TokenParcel } from "../ports/purchase.ts";
import { type NoticeWords, nairaForSms } from "../purchases/notice-text.ts";
import { amountOf } from "../purchases/purchase.ts";
import { storedElectricity } from "./stored.ts";
import { ELECTRICITY_TOKENS } from "./token-form.ts";

/** To be typed into the meter in this order, so tokens are numbered when there are several. */
export const electricityNotice: NoticeWords = (order, tokens) => {
  const stored = storedElectricity(order);
  const { units_kwh: units } = (order.facts ?? {}) as ElectricityFacts;
  const meter = `${discoName(stored.disco)}, meter ${order.recipient}`;
  const told = (write: (token: string) => string) =>
    `${meter}. ${tokensIn(tokens, write)}${unitsIn(units)}Paid: ${nairaForSms(amountOf(order))}.`;
  const text = told(ELECTRICITY_TOKENS.written);
  return tokens.length === 0 ? { text } : { text, shownAs: told(ELECTRICITY_TOKENS.masked) };
};

function discoName(code: string): string {
  const disco = parseDisco(code);
  return disco ? DISCOS[disco].name : code;
}

function tokensIn(tokens: readonly TokenParcel[], write: (token: string) => string): string {
  const [only, ...others] = tokens;
  if (!only) return "Your meter was credited without a token. ";
  if (others.length === 0) return `Token: ${write(only.value)}. `;
  const numbered = tokens.map(({ value }, index) => `${index + 1}) ${write(value)}`);
  return `Enter these tokens in this order: ${numbered.join(" ")}. `;
}

const unitsIn = (units: string | undefined): string => (units === undefined ? "" : `Units: ${units} kWh. `);
