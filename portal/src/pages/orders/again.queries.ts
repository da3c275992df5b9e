import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask, call, type Models } from "../../api/client.ts";
import type { Order } from "../../api/orders.ts";
import { useMay, useScope } from "../../api/session.ts";
import { isBought, isSms, purchaseAgain } from "./again.ts";

interface Offer {
  readonly price: Models["Price"];
  readonly why_not?: string;
}

const CHAT = "A chat is sent again from your own code: the customer's window may have closed since.";
const NOT_ALLOWED = "Your role may look, and not send or buy.";

/** The price of doing it again, or why not. A purchase is checked as if it were made. */
async function offerOf(order: Order): Promise<Offer> {
  if (isSms(order)) return ask("GET", `/sms/${order.id}/again`);
  if (!isBought(order)) return { price: order.price, why_not: CHAT };
  const again = purchaseAgain(order);
  if ("whyNot" in again) return { price: order.price, why_not: again.whyNot };
  return call<Offer>("POST", again.path, { body: { ...again.body, validate_only: true } });
}

/** Why it is not done, as far as that is known without asking for a price. */
export function useWhyNot(order: Order): string | undefined {
  const may = useMay("send");
  const scope = useScope();
  const isAsked = may && isSms(order);
  const sms = useQuery({
    queryKey: [...scope, "orders", "why-not-again", order.id, order.status],
    queryFn: () => offerOf(order),
    enabled: isAsked,
  });
  if (isAsked) return sms.data?.why_not;
  if (!may) return NOT_ALLOWED;
  if (!isBought(order)) return CHAT;
  const again = purchaseAgain(order);
  return "whyNot" in again ? again.whyNot : undefined;
}

/** Asked for once somebody thinks of it. */
export function useOffer(order: Order, isAsked: boolean) {
  const may = useMay("send");
  const scope = useScope();
  return useQuery({
    queryKey: [...scope, "orders", "again", order.id, order.status],
    queryFn: () => (may ? offerOf(order) : { price: order.price, why_not: NOT_ALLOWED }),
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
  });
}

/** The new order. Pressed twice, it is made once: its reference and key are those of the order that it is made for. */
export function useAgain(order: Order) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ price }: Offer): Promise<Order> => {
      if (!isBought(order)) return ask("POST", `/sms/${order.id}/again`);
      const again = purchaseAgain(order);
      if ("whyNot" in again) throw new Error(again.whyNot);
      return call<Order>("POST", again.path, {
        body: { ...again.body, expected_price: price.amount },
        // Answered at once: an order that fails is shown as one, not as a refusal.
        headers: { "idempotency-key": `again:${order.id}`, prefer: "respond-async" },
      });
    },
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("wallet") }),
  });
}
