import { DISCOS } from "../../../kernel/discos.ts";
import { kobo } from "../../../kernel/kobo.ts";
import type { ElectricityPayload } from "../../../ports/purchase-payload.ts";
import type { Fields, Member } from "../../../vendor-text/fields.ts";
import { isSameMeter } from "../../../vendor-text/meter-number.ts";
import { showsToken } from "../../../vendor-text/shown-token.ts";
import { transactionOf } from "../answer.ts";
import { factsOf } from "./electricity-facts.ts";
import { readTokens } from "./electricity-tokens.ts";
import { type Attempt, type Delivery, nairaNumber, national, type Sold } from "./sold.ts";

/** The vendor's category of the discos. */
export const DISCO_CATEGORY = "electricity-bill";

/** The vendor's names of the discos are our codes. */
export const isDiscoService = (serviceId: string): boolean => Object.hasOwn(DISCOS, serviceId);

export function electricity({ reference, recipient, payload }: Attempt<ElectricityPayload>): Sold {
  return {
    body: {
      serviceID: payload.disco,
      billersCode: recipient,
      variation_code: payload.meter_type,
      amount: nairaNumber(payload.amount_kobo),
      phone: national(payload.phone),
    },
    amountKobo: kobo(payload.amount_kobo),
    isAnothers: (member) => namesAnotherMeter(member, recipient),
    delivery(text, body): Delivery {
      const { tokens, twice, doubts } = readTokens(text, body, transactionOf(body).extras, [reference, recipient]);
      return {
        facts: factsOf(payload, body, tokens),
        doubts,
        ...(twice !== undefined && {
          unreadable: `it is said to be delivered, and has two tokens of one kind (${twice})`,
        }),
        // Seen in the open: the disco has the money, and the token comes later, in a requery.
        isIncomplete: tokens.length === 0,
      };
    },
    hasToken,
    isUnits: ({ name, text }) => UNITS_NAME.test(name) && /[1-9]/.test(text),
  };
}

const UNITS_NAME = /units$/i;
const METER_NAME = /^meter_?(?:number|no)?$/i;

/** A disco's block need not say the meter's number. */
function namesAnotherMeter({ name, text }: Member, meter: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  if (name === "unique_element") return !isOurMeter(digits, meter);
  return METER_NAME.test(name) && digits !== "" && !isOurMeter(digits, meter);
}

/** The vendor drops zeros in front; before a number of Port Harcourt's, whole, a sample has 61. */
const isOurMeter = (said: string, meter: string): boolean =>
  isSameMeter(said, meter) || (meter.length >= METER_DIGITS_MIN && said === `61${meter}`);

/** Of a decoder's number. Source: IEC 62055-41. */
const METER_DIGITS_MIN = 11;

const hasToken = (body: Fields): boolean => showsToken(body, REFERENCES);

/** Where the vendor has numbers of its own, and ours: with twenty digits they are no token. */
const REFERENCES = new Set([
  "requestId",
  "request_id",
  "transactionId",
  "transaction_id",
  "wallet_credit_id",
  "exchangeReference",
  "reference",
  "Receipt",
  "receiptNo",
  "invoiceNumber",
]);
