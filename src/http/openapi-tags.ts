/** A group of the reference. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The groups that are of no single service: they stand after the services' own. An operation with another tag is a fault that a test finds. */
export const SHARED_TAGS: readonly Tag[] = [
  { name: "Orders", description: "Messages and purchases of all services: one list, and each by its id." },
  { name: "Wallet", description: "The prepaid wallet that pays for everything: balance, statement and top-ups." },
  { name: "Events", description: "What happens to orders, messages and the wallet, as a feed and as a stream." },
  { name: "Webhooks", description: "Events posted to your own server, signed, in order and until it has them." },
  { name: "Account", description: "Services and their plans, subscriptions, limits and usage." },
  {
    name: "Test mode",
    description:
      "Simulated handsets and meters: what test keys' messages and purchases left there, and how a handset replies.",
  },
];
