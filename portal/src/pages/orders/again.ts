import type { Models } from "../../api/client.ts";
import type { Order } from "../../api/orders.ts";
import type { Step } from "../../pieces/Timeline.tsx";

type Purchase = Models["Purchase"];

/** A purchase to be made once more, or why that is not safe. */
export type Again =
  | { readonly path: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly whyNot: string };

const STATES: Readonly<Record<string, string>> = {
  processing: "Whether the customer has it is not certain yet. Bought again, it could be paid for twice.",
  successful: "It did not fail. Buy it anew if the customer wants another.",
  reversed: "The vendor took it back and the price was refunded. Buy it anew if it is still wanted.",
};

/** Only what has certainly failed, with its money back, is bought again: with a reference that can be used once. */
export function purchaseAgain(order: Purchase): Again {
  if (order.status !== "failed") return { whyNot: STATES[order.status] ?? "It has not failed." };
  if (order.charge !== "returned") return { whyNot: "Its price has not come back to the wallet yet." };
  const steps: readonly Step[] = order.timeline ?? [];
  const failed = steps.findIndex(({ status }) => status === "failed");
  if (steps.length > failed + 1)
    return { whyNot: "After it had failed, its vendor said something else of it, so the customer may have it." };
  const call = callOf(order);
  if (!call) return { whyNot: "It can't be made again from what is kept of it. Buy it anew." };
  const reference = `again:${order.id}`;
  return { path: call.path, body: { ...call.body, ...noticeOf(order), reference } };
}

const noticeOf = ({ notify }: Purchase) => (notify ? { notify: notify.channel } : {});

/** The same as it was asked for. */
function callOf(order: Purchase): { readonly path: string; readonly body: object } | undefined {
  const { amount, to } = { amount: order.amount.amount, to: order.to };
  switch (order.object) {
    case "airtime": {
      const network = "network" in order ? order.network : undefined;
      return { path: "/airtime/topup", body: { to, amount, ...(network && { network }) } };
    }
    case "data":
      return "plan" in order && order.plan
        ? { path: "/airtime/data", body: { to, plan_id: order.plan.plan_id } }
        : undefined;
    case "electricity":
      return "meter_number" in order && "disco" in order
        ? { path: "/electricity/purchase", body: { meter_number: order.meter_number, disco: order.disco, amount, to } }
        : undefined;
    case "cable":
      return "provider" in order && "kind" in order
        ? {
            path: "/cable/purchase",
            body: {
              provider: order.provider,
              kind: order.kind,
              to,
              ...("smartcard_number" in order && { smartcard_number: order.smartcard_number }),
              ...(order.plan && { plan_id: order.plan.plan_id }),
            },
          }
        : undefined;
    default:
      return undefined;
  }
}

export const isSms = (order: Order): boolean => order.object === "sms";
export const isBought = (order: Order): order is Purchase => order.id.startsWith("pur_");
