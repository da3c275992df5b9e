import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Models } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { Confirm } from "../../pieces/Confirm.tsx";
import { moneyText, shareOf } from "../../pieces/Money.tsx";
import { Pill } from "../../pieces/StatusPill.tsx";
import { daysOfMonth, today } from "../../pieces/time.ts";
import { useSubscribe } from "./subscribe.ts";

type Plan = Models["PlanInFull"];

interface PlanChange {
  /** The mark of the plan that one has, or the button that chooses another. */
  readonly choiceOf: (plan: Plan) => ReactNode;
  /** Asks before it is done. */
  readonly dialogue: ReactNode;
}

/** The choice of a service's plan in place, with what it costs and from when on. */
export function usePlanChange(service: Models["Service"], current: Models["Subscription"] | undefined): PlanChange {
  const [chosen, choose] = useState<Plan>();
  const subscribe = useSubscribe(() => choose(undefined));
  const maySubscribe = useMay("subscribe");
  return {
    choiceOf(plan) {
      if (plan.id === current?.plan.id)
        return (
          <Pill tone="done" icon="check">
            your plan
          </Pill>
        );
      if (!maySubscribe) return null;
      return (
        <Button
          size="xs"
          variant={current === undefined && plan.free ? "filled" : "default"}
          onClick={() => choose(plan)}
          aria-label={`Choose ${service.name} ${plan.name}`}
        >
          Choose
        </Button>
      );
    },
    dialogue: (
      <Confirm
        opened={chosen !== undefined}
        title={`${service.name}: ${chosen?.name} plan`}
        action={current ? "Change the plan" : "Subscribe"}
        isBusy={subscribe.isPending}
        error={subscribe.error}
        onConfirm={() => chosen && subscribe.mutate({ service: service.service, name: service.name, plan: chosen.id })}
        onClose={() => {
          subscribe.reset();
          choose(undefined);
        }}
      >
        {chosen && <Consequence plan={chosen} current={current} />}
      </Confirm>
    ),
  };
}

interface ConsequenceProps {
  readonly plan: Plan;
  readonly current: Models["Subscription"] | undefined;
}

/** What it costs and when: at most, as what of the month is paid already is known to the gateway alone, which says the sum afterwards. */
function Consequence({ plan, current }: ConsequenceProps) {
  const kept = current && !current.plan.free && (
    <p>
      What was paid for the {current.plan.name} plan is not given back. Until the end of the month you may return to it
      without paying again.
    </p>
  );
  if (plan.free)
    return (
      <div className="stack">
        <p>It costs nothing, and holds from the next request on.</p>
        {kept}
      </div>
    );
  const day = today();
  const days = daysOfMonth(day);
  const left = days.filter((one) => one >= day).length;
  return (
    <div className="stack">
      <p>
        {moneyText(plan.fee)} a month. Now <strong>{moneyText(shareOf(plan.fee, left, days.length))}</strong> at most
        are taken from the live wallet, for {left === 1 ? "the last day" : `the ${left} days that are left`} of this
        month, less what you have paid for it already; then the whole fee at the start of each month.
      </p>
      <p>It holds from the next request on.</p>
      {kept}
    </div>
  );
}
