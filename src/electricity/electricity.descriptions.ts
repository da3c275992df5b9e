import { OUTCOME, repeats } from "../purchases/purchase.descriptions.ts";
import { RESENDS_A_DAY } from "./resend.service.ts";

/** What the reference says about each operation, in Markdown. */

export const VERIFY = `Whose meter it is: asked of a vendor that sells for the disco, and of the next one when that can't tell. Nothing is bought or charged.

Show \`customer.name\` to whoever pays before you buy. With the \`verification_id\` a purchase in the next 15 minutes need not ask again; it is yours
alone. \`arrears\` is what the meter owes: the disco takes it out of the amount, so it raises \`minimum_amount\`. One above
\`maximum_amount\` means that nothing can be bought until the debt is paid to the disco.

A meter that the disco does not know is refused with \`meter_not_found\`. \`provider_unavailable\` says nothing about the meter: try again.`;

const METERS = `Without a fresh \`verification_id\` the meter is verified first. If an expired one shows that the meter has another customer by now, the purchase is refused
with \`meter_changed\` and the new \`verification\`; case, punctuation and what a vendor masks do not count as a change. A postpaid meter is
refused with \`meter_is_postpaid\`.`;

const PRICE = `\`amount\`: whole naira within the meter's bounds (\`amount_out_of_bounds\` with \`minimum_amount\` and \`maximum_amount\`), as a string (\`"5000"\`, \`"5000.00"\`) or a JSON integer. A
JSON number with a fraction is refused (\`amount_not_exact\`). \`1e3\` without quotes is the JSON integer 1000; in quotes it is refused. \`price\` is
the amount and your plan's fee.`;

const TOKENS = `\`tokens\` are to be typed into the meter in their order. Now and then the vendor has delivered and the token has not come yet: the purchase stays
\`processing\` with \`token_pending\`, and the token comes by the event \`electricity.successful\`, \`GET /electricity/status/{purchase_id}\` and \`notify\`.
Tokens are stored encrypted, and shown at any time while the purchase is \`successful\`; keys without the scope \`vend\` see the last four digits.`;

export const PURCHASE = `Buys electricity for a prepaid meter. The answer has the token.

${METERS}

${PRICE}

${TOKENS}

\`notify: {"channel": "sms"}\` sends the token to \`to\` once it is there: an SMS order of its own, by your SMS plan and from the same wallet. With \`"chat"\` it is a text from
your chat number, by your chat plan; it needs the customer's 24-hour window to be open then. \`notify\` in the purchase says what became of it; its failure never touches the
purchase.

${OUTCOME}

${repeats("meter and amount")}

\`validate_only\` checks everything and says the price and the arrears without buying; \`expected_price\` refuses another price than you showed.`;

export const DISCOS = `The distribution companies, with the states they sell in. \`status\` says whether a vendor of yours can sell for it just now, as far as the vendors told in
the last minutes. \`minimum\` and \`maximum\` hold where a meter says nothing else.`;

export const STATUS = `One purchase with everything that happened to it. While it is \`processing\`, \`next_check_at\` is when it is looked at again at the latest.

\`successful\` may still become \`reversed\`: the vendor took it back, the price was refunded, and its tokens are shown no more. \`breakdown\` says where the amount went, as far as the disco
tells it: energy, VAT, and arrears that were taken first.`;

export const LIST =
  "Electricity of this account and mode, newest first. Filters narrow it together. For the next page send `next_cursor` as `after`, with the same filters.";

export const RECEIPT = `The receipt of a \`successful\` purchase, in the form that \`Accept\` asks for: JSON, a page to print (\`text/html\`) or \`application/pdf\`. Other forms are refused
with \`not_acceptable\`, and purchases that are not successful with \`invalid_state\`. Energy, VAT and arrears are the disco's own figures; what it
does not tell is left out. The disco's VAT and \`fee.tax\` come to \`total.tax\`.`;

export const RESEND = `Sends the tokens of a successful purchase once more, to the customer's phone or to \`to\`: an SMS or a chat text, an order of its own, by your plan for it and from your wallet. The message
shows its tokens masked wherever it is read; only the handset has them whole. A purchase that is not successful, or whose meter was credited without a token, is refused with
\`invalid_state\`.

Whoever holds a token can use it, so each resend is written into the audit log, and a purchase has at most ${RESENDS_A_DAY} a day in Lagos (\`quota_exceeded\`). An
\`Idempotency-Key\` makes a repeat safe.`;
