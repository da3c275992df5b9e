/** Its group of the reference, as its routes name it. */
export const AIRTIME_TAG = {
  name: "Airtime and data",
  description: "Top-ups and data bundles for any Nigerian mobile number.",
};
