/**
 * What became of an order's price, in the one vocabulary of all answers: `held` until it is decided; then `charged`, or `returned`
 * when the order ended without a charge; `refunded` when it was charged and given back later.
 */
export const CHARGES = ["held", "charged", "returned", "refunded"] as const;
export type Charge = (typeof CHARGES)[number];
