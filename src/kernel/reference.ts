/** Longest `reference`, a subscriber's own id of an order, in characters (code points). */
export const REFERENCE_CHARACTERS_MAX = 100;
