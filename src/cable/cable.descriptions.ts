import { OUTCOME, repeats } from "../purchases/purchase.descriptions.ts";

/** What the reference says about each operation, in Markdown. */

export const PROVIDERS = `The TV providers, with what each offers. \`status\` says whether one of the gateway's vendors can sell for it now, as reported in the last
minutes.`;

export const PLANS = `Bouquets from our copy of the vendors' lists, with your prices. The copy is fetched every hour, and when a vendor reports a change; \`as_of\` is its
time. \`available: false\` once the vendor has withdrawn a bouquet, for 30 days. \`validity_days\` is read from the vendor's name, and null where that does not state it.`;

export const VERIFY = `The smartcard's customer, from a vendor that sells for the TV provider, or from the next one if it can't answer. Nothing is bought or charged.

Show \`customer.name\` to the payer before you buy. \`renewal_amount\` is what the TV provider asks now to renew \`current_plan\`: less than the list price in a promotion, more
with arrears. Without it there is nothing to renew. The \`verification_id\` is valid for 15 minutes and for your account only.

Showmax has no smartcards: \`not_supported_by_provider\`. A card unknown to the TV provider is refused with \`smartcard_not_found\`. \`provider_unavailable\` says nothing about
the card: try again.`;

const KINDS = `\`kind\`: \`renew\` (DStv, GOtv) pays the card's own bouquet, \`change\` a bouquet of \`GET /cable/plans\`. StarTimes takes \`change\` only, also for the bouquet that the card
has. Showmax takes no \`smartcard_number\`: it sells a voucher to the phone \`to\`. What a TV provider does not offer is refused with \`not_supported_by_provider\` and
\`possible\`.`;

const CARDS = `A renewal costs the \`renewal_amount\` of that moment, so its card is verified anew, also with a fresh \`verification_id\`: if the amount has changed since then, the purchase
is refused with \`price_changed\` and the new \`verification\`. Send \`verification_id\` or \`expected_price\`, or the amount is not checked against anything you have seen. A change verifies the
card only without a fresh \`verification_id\`. If the customer differs from that of your verification, the purchase is refused with \`smartcard_changed\` and the new
\`verification\`; case, punctuation and masked parts do not count as a change.`;

export const PURCHASE = `Pays for DStv, GOtv or StarTimes by smartcard, or buys a Showmax voucher.

${KINDS}

${CARDS}

\`price\` is the amount and your plan's fee. A bouquet that has been withdrawn is refused with \`plan_not_found\`; if the vendor withdraws it after the acceptance, the purchase fails with the same code,
and the price comes back.

\`successful\` means that the TV provider has been paid. A decoder that was switched off shows its channels some minutes after it is on again. A Showmax voucher is in \`tokens\`, stored encrypted, and
masked for keys without the scope \`vend\`; while it has not arrived, the purchase is \`processing\` with \`token_pending\`.

\`notify: {"channel": "sms"}\` confirms the purchase to \`to\`, with the voucher: a separate SMS order, on your SMS plan and from the same wallet. With \`"chat"\` it is a text from your
chat number, on your chat plan, and needs the customer's 24-hour window to be open. If it fails, the purchase is unaffected.

${OUTCOME}

${repeats("smartcard (Showmax: phone) and plan")}

\`validate_only\` checks everything and quotes the price without buying; with \`expected_price\` any other price than the one you showed is refused.`;

export const STATUS = `A purchase with its timeline. While it is \`processing\`, \`next_check_at\` is the time of the next check at the latest.

\`successful\` may still become \`reversed\`: the vendor reversed it, the price was refunded, and a voucher is no longer shown.`;

export const LIST =
  "Purchases of cable TV of this account and mode, newest first. Filters combine. For the next page send `next_cursor` as `after`, with the same filters.";

export const RECEIPT = `The receipt of a \`successful\` purchase, in the form that \`Accept\` asks for: JSON, a page to print (\`text/html\`) or \`application/pdf\`. Other forms are refused
with \`not_acceptable\`, and purchases that are not successful with \`invalid_state\`.`;
