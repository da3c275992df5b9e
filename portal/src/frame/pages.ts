import type { IconName } from "../pieces/Icon.tsx";

/** What can be gone to by name. `also`: other words that one may look for it by. */
export const PAGES = [
  { to: "/", icon: "home", name: "Home", also: "wallet balance today" },
  { to: "/services", icon: "services", name: "Services" },
  { to: "/services/sms", icon: "sms", name: "Send an SMS", also: "message text" },
  { to: "/services/chat", icon: "chat", name: "Send a chat message", also: "whatsapp" },
  { to: "/services/airtime", icon: "airtime", name: "Buy airtime", also: "top up" },
  { to: "/services/data", icon: "airtime", name: "Buy data", also: "bundle" },
  { to: "/services/electricity", icon: "electricity", name: "Buy electricity", also: "meter token power" },
  { to: "/services/cable", icon: "cable", name: "Pay for cable TV", also: "smartcard television dstv gotv" },
  { to: "/messages", icon: "sms", name: "Messages" },
  { to: "/purchases", icon: "orders", name: "Purchases" },
  { to: "/orders", icon: "orders", name: "All orders" },
  { to: "/keys", icon: "key", name: "Keys", also: "api" },
  { to: "/requests", icon: "log", name: "Request log", also: "errors debug" },
  { to: "/plans", icon: "plans", name: "Plans", also: "price subscription limits" },
  { to: "/team", icon: "team", name: "Team", also: "invite members" },
  { to: "/you", icon: "person", name: "Your sign-in", also: "password passkey sessions second factor" },
] as const satisfies readonly (Named & { readonly to: string; readonly icon: IconName })[];

/** Only a local gateway has it. */
export const OUTBOX = { to: "/outbox", icon: "mail", name: "Outbox", also: "mails" } as const;

export interface Named {
  readonly name: string;
  readonly also?: string;
}

/** Those that have every word that is typed: in their names first, then in what else they are looked for by. */
export function namedBy<One extends Named>(text: string, all: readonly One[]): readonly One[] {
  const typed = text.toLowerCase().split(/\s+/);
  const has = (words: string) => typed.every((word) => words.toLowerCase().includes(word));
  const isByName = Map.groupBy(
    all.filter(({ name, also = "" }) => has(`${name} ${also}`)),
    ({ name }) => has(name),
  );
  return [...(isByName.get(true) ?? []), ...(isByName.get(false) ?? [])];
}
