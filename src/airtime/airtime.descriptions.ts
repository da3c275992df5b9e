import { OUTCOME, repeats } from "../purchases/purchase.descriptions.ts";

/** What the reference says about each operation, in Markdown. */

const REPEAT = repeats("phone");

const CHECK = `\`validate_only\` checks everything (form, network, plan, used names, route, likely duplicate, wallet, the key's cap, quota) and says the price without buying; \`expected_price\` refuses another price than
you showed your customer.`;

export const TOPUP = `The face value arrives as it is; \`price\` is less, by your plan's discount for the network (rounded down to the kobo).

Without \`network\` the one is taken that the number's first digits were given to, and told as \`network_guess\`. Numbers are ported: if the vendor finds it on
another network the purchase ends with \`wrong_network\`, and the price comes back.

${OUTCOME}

${REPEAT}

${CHECK}

\`amount\`: ₦50 to ₦50,000 in whole naira (\`amount_out_of_bounds\` with \`minimum_amount\` and \`maximum_amount\`), as a string (\`"500"\`, \`"500.00"\`) or a JSON integer. A JSON
number with a fraction is refused (\`amount_not_exact\`). \`1e3\` without quotes is the JSON integer 1000; in quotes it is refused.`;

export const DATA = `Buys a plan of \`GET /airtime/data/plans\`. A plan that is not \`available\` is refused with \`plan_not_found\` before any money is held.

\`price\` is what the vendor asks and your plan's margin (rounded up to the kobo). Vendors change their prices without notice: with \`expected_price\` you buy at the
price that you have seen, or get \`price_changed\` with the new one.

${OUTCOME}

${REPEAT}

${CHECK}`;

export const PLANS = `From the gateway's own copy of its vendors' lists, which is fetched every hour and whenever a vendor says that it changed; \`as_of\` says when.
Ask by \`network\`, by \`to\` (the network of a number, by its first digits), or for all.

Size, validity and kind are read from the vendor's free text. What it does not say, or not clearly, is null, and \`parsed\` is false: show its \`name\` then.
A plan that went stays in the list for 30 days, with \`available: false\`. Test keys see the plans of the simulated vendors.`;

export const STATUS = `One purchase with everything that happened to it. While it is \`processing\`, \`next_check_at\` is when it is looked at again at the latest.

\`successful\` may still become \`reversed\`: the vendor took it back, and the price was refunded. \`failure\` says why it did not end well, in \`code\` for
your program and in \`detail\` for people.`;

export const LIST =
  "Airtime and data of this account and mode, newest first. Filters narrow it together. For the next page send `next_cursor` as `after`, with the same filters.";

export const RECEIPT =
  "The receipt of a `successful` purchase, in the form that `Accept` asks for. `amount` − `discount` + `fee` is `total`.";
