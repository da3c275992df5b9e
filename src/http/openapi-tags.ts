/** The groups of the reference, in its order. An operation with another tag is a fault that a test finds. */
export const TAGS = [
  {
    name: "SMS",
    description: "Text messages to Nigerian mobile numbers: single, in bulk, scheduled, with a report of each.",
  },
  {
    name: "Chat",
    description:
      "WhatsApp messages: texts, files and buttons within 24 hours of the recipient's last message, templates at any time.",
  },
  { name: "Airtime and data", description: "Top-ups and data bundles for any Nigerian mobile number." },
  {
    name: "Electricity",
    description:
      "Prepaid electricity: meters are verified, bought for, and their tokens shown, sent again and receipted.",
  },
  { name: "Wallet", description: "The prepaid wallet that everything is paid from: balance, statement and top-ups." },
  { name: "Account", description: "Services and their plans, subscriptions, limits and usage." },
  {
    name: "Test mode",
    description:
      "What test keys' messages and purchases left on simulated handsets and meters, and how a handset answers.",
  },
] as const;
