import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Models } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { Confirm } from "../../pieces/Confirm.tsx";
import { moneyText } from "../../pieces/Money.tsx";
import { Pill } from "../../pieces/StatusPill.tsx";
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
          aria-label={`${current ? "Change to" : "Choose"} ${service.name} ${plan.name}`}
        >
          {current ? "Change" : "Choose"}
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

/** What it costs and when. The sum itself depends on what of the month is paid already: the gateway says it afterwards. */
function Consequence({ plan, current }: ConsequenceProps) {
  const left = current && !current.plan.free && (
    <p>
      What was paid for the {current.plan.name} plan is not given back. Until the end of the month you may return to it
      without paying again.
    </p>
  );
  if (plan.free)
    return (
      <div className="stack">
        <p>It costs nothing, and holds from the next request on.</p>
        {left}
      </div>
    );
  return (
    <div className="stack">
      <p>
        {moneyText(plan.fee)} a month. For the rest of this month its share is taken from the live wallet now, less what
        you have paid for this month already; then the whole fee at the start of each month.
      </p>
      <p>It holds from the next request on.</p>
      {left}
    </div>
  );
}
