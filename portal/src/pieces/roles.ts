import type { Role } from "../api/session.ts";

/** What each role may do, in a line, in the order in which they are offered. */
export const ROLES: Readonly<Record<Role, string>> = {
  viewer: "Sees orders, wallet and team, and changes nothing.",
  developer: "Sends and buys in test mode, makes test keys and live keys that only read, sets up webhooks and senders.",
  finance: "Tops up the wallet, takes statements and chooses plans.",
  owner: "Does everything: sends and buys in live mode too, and decides who is in the team.",
};
