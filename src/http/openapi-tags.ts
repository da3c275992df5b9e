/** The groups of the reference, in its order. An operation with another tag is a fault that a test finds. */
export const TAGS = [
  {
    name: "SMS",
    description: "Text messages to Nigerian mobile numbers: single, bulk or scheduled, each with a delivery report.",
  },
  {
    name: "Chat",
    description:
      "WhatsApp messages: texts, files and buttons within 24 hours of the recipient's last message, templates at any time.",
  },
  { name: "Airtime and data", description: "Top-ups and data bundles for any Nigerian mobile number." },
  {
    name: "Electricity",
    description: "Prepaid electricity: verify meters, buy, get tokens and receipts, resend tokens.",
  },
  { name: "Wallet", description: "The prepaid wallet that pays for everything: balance, statement and top-ups." },
  { name: "Account", description: "Services and their plans, subscriptions, limits and usage." },
  {
    name: "Test mode",
    description:
      "Simulated handsets and meters: what test keys' messages and purchases left there, and how a handset replies.",
  },
] as const;
