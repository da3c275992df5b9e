import { OUTCOME, repeats } from "../purchases/purchase.descriptions.ts";
import { RESENDS_A_DAY } from "./resend.service.ts";

/** What the reference says about each operation, in Markdown. */

export const VERIFY = `The meter's customer, from a vendor that sells for the disco, or from the next one if it can't answer. Nothing is bought or charged.

Show \`customer.name\` to the payer before you buy. With the \`verification_id\` a purchase in the next 15 minutes needs no new verification; it is valid for your account
only. \`arrears\` is the meter's debt: the disco deducts it from the amount, so it raises \`minimum_amount\`. If that is above
\`maximum_amount\`, nothing can be bought until the debt is paid to the disco.

A meter unknown to the disco is refused with \`meter_not_found\`. \`provider_unavailable\` says nothing about the meter: try again.`;

const METERS = `Without a fresh \`verification_id\` the meter is verified first. If the customer then differs from that of an expired verification, the purchase is refused
with \`meter_changed\` and the new \`verification\`; case, punctuation and masked parts do not count as a change. A postpaid meter is
refused with \`meter_is_postpaid\`.`;

const PRICE = `\`amount\`: whole naira within the meter's bounds (\`amount_out_of_bounds\` with \`minimum_amount\` and \`maximum_amount\`), as a string (\`"5000"\`, \`"5000.00"\`) or a JSON integer. A
JSON number with a fraction is refused (\`amount_not_exact\`). \`1e3\` without quotes is the JSON integer 1000; in quotes it is refused. \`price\` is
the amount and your plan's fee.`;

const TOKENS = `Enter \`tokens\` into the meter in their order. If the vendor has delivered without the token, the purchase stays
\`processing\` with \`token_pending\`, and the token follows by the event \`electricity.successful\`, \`GET /electricity/status/{purchase_id}\` and \`notify\`.
Tokens are stored encrypted, and shown while the purchase is \`successful\`; keys without the scope \`vend\` see the last four digits.`;

export const PURCHASE = `Buys electricity for a prepaid meter. The answer has the token.

${METERS}

${PRICE}

${TOKENS}

\`notify: {"channel": "sms"}\` sends the token to \`to\` on success: a separate SMS order, on your SMS plan and from the same wallet. With \`"chat"\` it is a text from
your chat number, on your chat plan, and needs the customer's 24-hour window to be open. \`notify\` in the purchase has its status; if it fails, the
purchase is unaffected.

${OUTCOME}

${repeats("meter and amount")}

\`validate_only\` checks everything and quotes the price and the arrears without buying; with \`expected_price\` any other price than the one you showed is refused.`;

export const DISCOS = `The distribution companies, with the states they serve. \`status\` says whether one of the gateway's vendors can sell for it now, as reported in
the last minutes. \`minimum\` and \`maximum\` apply unless the meter's own limits differ.`;

export const STATUS = `A purchase with its timeline. While it is \`processing\`, \`next_check_at\` is the time of the next check at the latest.

\`successful\` may still become \`reversed\`: the vendor reversed it, the price was refunded, and its tokens are no longer shown. \`breakdown\` divides the amount as far as the disco
reports it: energy, VAT, and arrears, which are deducted first.`;

export const LIST =
  "Electricity of this account and mode, newest first. Filters combine. For the next page send `next_cursor` as `after`, with the same filters.";

export const RECEIPT = `The receipt of a \`successful\` purchase, in the form that \`Accept\` asks for: JSON, a page to print (\`text/html\`) or \`application/pdf\`. Other forms are refused
with \`not_acceptable\`, and purchases that are not successful with \`invalid_state\`. Energy, VAT and arrears are the disco's own figures; those it
does not report are left out. The disco's VAT plus \`fee.tax\` is \`total.tax\`.`;

export const RESEND = `Resends the tokens of a successful purchase, to the customer's phone or to \`to\`, by SMS or chat text: a separate order, on your plan for it and from your wallet. The API
shows the message with its tokens masked; only the handset has them in full. A purchase that is not successful, or whose meter was credited without a token, is refused with
\`invalid_state\`.

Anyone with a token can use it, so each resend is recorded in the audit log, and a purchase has at most ${RESENDS_A_DAY} per day in Lagos (\`quota_exceeded\`). An
\`Idempotency-Key\` makes a repeat safe.`;
