import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../api/client.ts";
import { moneyText } from "../../pieces/Money.tsx";
import { toast } from "../../pieces/toast.ts";

interface Choice {
  readonly service: string;
  readonly name: string;
  readonly plan: string;
}

/** Subscribes, or changes the plan. Plans are a matter of the live account, whichever mode one looks at. */
export function useSubscribe(done: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ service, plan }: Choice) =>
      take(
        api.PUT("/subscriptions/{service}", {
          params: { path: { service: service as "sms" } },
          body: { plan },
          headers: { "afara-mode": "live" },
        }),
      ),
    onSuccess: async (subscription) => {
      await queries.invalidateQueries();
      const { charged } = subscription;
      const cost =
        Number(charged.amount) > 0 ? `${moneyText(charged)} was taken from the live wallet` : "It cost nothing";
      toast(`${subscription.name}: ${subscription.plan.name} plan. ${cost}.`);
      done();
    },
  });
}
