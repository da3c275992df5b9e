/** Its group of the reference, as its routes name it. */
export const CABLE_TAG = {
  name: "Cable TV",
  description: "DStv, GOtv and StarTimes bouquets by smartcard, and Showmax vouchers.",
};
