import { OUTCOME, repeats } from "../purchases/purchase.descriptions.ts";

/** What the reference says about each operation, in Markdown. */

const REPEAT = repeats("phone");

const CHECK = `\`validate_only\` checks everything (form, network, plan, used names, route, likely duplicate, wallet, the key's cap, quota) and quotes the price without buying; with \`expected_price\` any price other than
the one you showed your customer is refused.`;

export const TOPUP = `The customer receives the full face value; \`price\` is lower by your plan's discount for the network (rounded down to the kobo).

Without \`network\` the network of the number's prefix is used and returned as \`network_guess\`. Numbers are ported: if the vendor finds the number on
another network, the purchase fails with \`wrong_network\` and the price is returned.

${OUTCOME}

${REPEAT}

${CHECK}

\`amount\`: ₦50 to ₦50,000 in whole naira (\`amount_out_of_bounds\` with \`minimum_amount\` and \`maximum_amount\`), as a string (\`"500"\`, \`"500.00"\`) or a JSON integer. A JSON
number with a fraction is refused (\`amount_not_exact\`). \`1e3\` without quotes is the JSON integer 1000; in quotes it is refused.`;

export const DATA = `Buys a plan of \`GET /airtime/data/plans\`. A plan that is not \`available\` is refused with \`plan_not_found\` before any money is held.

\`price\` is the vendor's price plus your plan's margin (rounded up to the kobo). Vendors change their prices without notice: with \`expected_price\` you buy at the
price you have seen, or get \`price_changed\` with the new one.

${OUTCOME}

${REPEAT}

${CHECK}`;

export const PLANS = `From the gateway's copy of its vendors' lists, fetched every hour and whenever a vendor reports a change; \`as_of\` is the time of the copy.
Filter by \`network\` or by \`to\` (the network of a number's prefix), or list all.

Size, validity and kind are read from the vendor's free text. What it does not state clearly is null, and \`parsed\` is false: show its \`name\` then.
A withdrawn plan stays in the list for 30 days, with \`available: false\`. Test keys see the plans of the simulated vendors.`;

export const STATUS = `A purchase with its timeline. While it is \`processing\`, \`next_check_at\` is the time of the next check at the latest.

\`successful\` may still become \`reversed\`: the vendor reversed it, and the price was refunded. \`failure\` explains a failure, in \`code\` for
your program and in \`detail\` for people.`;

export const LIST =
  "Airtime and data of this account and mode, newest first. Filters combine. For the next page send `next_cursor` as `after`, with the same filters.";

export const RECEIPT =
  "The receipt of a `successful` purchase, in the form requested by `Accept`. `amount` − `discount` + `fee` is `total`.";
