/** The pages that list orders: all of them, or those of one kind. */
export interface OrderList {
  readonly path: "/orders" | "/messages" | "/purchases";
  readonly kind?: "messages" | "purchases";
  readonly title: string;
  readonly line: string;
  /** What one of it can be found by. */
  readonly finds: string;
  /** What an order of it is called. */
  readonly one: string;
  readonly services: readonly Choice[];
  readonly statuses: readonly string[];
  /** Where the first one is made. */
  readonly first: { readonly to: "/services/sms" | "/services"; readonly name: string };
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

const MESSAGES: readonly Choice[] = [
  { value: "sms", label: "SMS" },
  { value: "chat", label: "Chat" },
];
const PURCHASES: readonly Choice[] = [
  { value: "airtime", label: "Airtime and data" },
  { value: "electricity", label: "Electricity" },
  { value: "cable", label: "Cable TV" },
];
const MESSAGE_STATUSES = ["scheduled", "queued", "sending", "sent", "unknown", "delivered", "read"].concat([
  "undelivered",
  "expired",
  "rejected",
  "failed",
  "cancelled",
]);
const PURCHASE_STATUSES = ["processing", "successful", "failed", "reversed"];

const LISTS: readonly OrderList[] = [
  {
    path: "/messages",
    kind: "messages",
    title: "Messages",
    line: "Every SMS and chat message that was sent, newest first.",
    finds: "Number, id or reference",
    one: "message",
    services: MESSAGES,
    statuses: MESSAGE_STATUSES,
    first: { to: "/services/sms", name: "Send an SMS" },
  },
  {
    path: "/purchases",
    kind: "purchases",
    title: "Purchases",
    line: "Airtime, data, electricity and cable TV that was bought, newest first.",
    finds: "Number, meter, card, id or reference",
    one: "purchase",
    services: PURCHASES,
    statuses: PURCHASE_STATUSES,
    first: { to: "/services", name: "See the services" },
  },
];

const ALL: OrderList = {
  path: "/orders",
  title: "Orders",
  line: "Everything that was sent or bought, newest first.",
  finds: "Number, meter, card, id or reference",
  one: "order",
  services: [...MESSAGES, ...PURCHASES],
  statuses: [...new Set([...MESSAGE_STATUSES, ...PURCHASE_STATUSES])],
  first: { to: "/services/sms", name: "Send an SMS" },
};

export const listAt = (path: string): OrderList => LISTS.find((list) => list.path === path) ?? ALL;
