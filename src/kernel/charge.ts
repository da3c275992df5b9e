/**
 * What became of an order's price, in the one vocabulary of all answers: `held` until it is decided, `charged` for what was
 * delivered, `returned` for what was not, `refunded` for what was charged and taken back.
 */
export const CHARGES = ["held", "charged", "returned", "refunded"] as const;
export type Charge = (typeof CHARGES)[number];
