/** Its group of the reference, as its routes name it. */
export const ELECTRICITY_TAG = {
  name: "Electricity",
  description: "Prepaid electricity: verify meters, buy, get tokens and receipts, resend tokens.",
};
