/** SQL conditions on `orders` that equal `attemptState`; their test puts an order of every combination of columns into the database. */

/** The attempt is `new`, of an order that has not ended. */
export const IS_NEW =
  "ended_at is null and begun_at is null and ambiguous_at is null and failed_at is null and pieces is null";

/** The vendor is asked about it, or was: a purchase whose attempt is not `new`. */
export const IS_PURCHASE_BEGUN = `(ambiguity = 'requery' and not (${IS_NEW}))`;
