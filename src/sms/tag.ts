/** Its group of the reference, as its routes name it. */
export const SMS_TAG = {
  name: "SMS",
  description: "Text messages to Nigerian mobile numbers: single, bulk or scheduled, each with a delivery report.",
};
