import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Models } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { Confirm } from "../../pieces/Confirm.tsx";
import { Icon, isIcon } from "../../pieces/Icon.tsx";
import { moneyText } from "../../pieces/Money.tsx";
import { Pill } from "../../pieces/StatusPill.tsx";
import { dayOf } from "../../pieces/time.ts";
import { ABOUT, feeOf, priceOfOne, quotaOf } from "./copy.ts";
import styles from "./Services.module.css";
import { useSubscribe } from "./subscribe.ts";

interface CardProps {
  readonly service: Models["Service"];
  readonly subscription: Models["Subscription"] | undefined;
}

/** A service: what it is, its plans, and the choice of one in place. */
export function ServiceCard({ service, subscription }: CardProps) {
  const [chosen, choose] = useState<Models["PlanInFull"]>();
  const subscribe = useSubscribe(() => choose(undefined));
  const maySubscribe = useMay("subscribe");
  const icon = isIcon(service.service) ? service.service : "services";
  return (
    <section className={`card ${styles.card}`} aria-labelledby={`service-${service.service}`}>
      <header className={styles.head}>
        <span className={styles.icon}>
          <Icon name={icon} size={20} />
        </span>
        <div className={styles.name}>
          <h2 id={`service-${service.service}`}>{service.name}</h2>
          <p className="soft">{ABOUT[service.service]}</p>
        </div>
        {!service.available && (
          <Pill tone="waiting" icon="clock">
            not now
          </Pill>
        )}
      </header>
      <ul className={styles.plans}>
        {service.plans.map((plan) => (
          <li key={plan.id} className={styles.plan} data-current={plan.id === subscription?.plan.id || undefined}>
            <div>
              <p>
                <strong>{plan.name}</strong> <span className="soft number">{feeOf(plan)}</span>
              </p>
              <p className="soft number">
                {priceOfOne(plan.prices)} · {quotaOf(plan, service.service)}
              </p>
            </div>
            {plan.id === subscription?.plan.id ? (
              <Pill tone="done" icon="check">
                your plan
              </Pill>
            ) : (
              maySubscribe && (
                <Button
                  size="xs"
                  variant={subscription === undefined && plan.free ? "filled" : "default"}
                  onClick={() => choose(plan)}
                  aria-label={`${subscription ? "Change to" : "Choose"} ${service.name} ${plan.name}`}
                >
                  {subscription ? "Change" : "Choose"}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      <footer className="apart">
        <span className="soft number">
          {subscription ? `Since ${dayOf(subscription.since)}` : "Not subscribed"} · {service.version}
        </span>
        {subscription && service.service === "sms" ? (
          <Link to="/services/sms">Try it</Link>
        ) : (
          <a href={`/docs/guides/${GUIDES[service.service] ?? ""}`}>Read the guide</a>
        )}
      </footer>
      <Confirm
        opened={chosen !== undefined}
        title={`${service.name}: ${chosen?.name} plan`}
        action={subscription ? "Change the plan" : "Subscribe"}
        isBusy={subscribe.isPending}
        error={subscribe.error}
        onConfirm={() => chosen && subscribe.mutate({ service: service.service, name: service.name, plan: chosen.id })}
        onClose={() => {
          subscribe.reset();
          choose(undefined);
        }}
      >
        {chosen && <Consequence plan={chosen} />}
      </Confirm>
    </section>
  );
}

const Consequence = ({ plan }: { readonly plan: Models["PlanInFull"] }) =>
  plan.free ? (
    <p>It costs nothing, and holds from the next request on.</p>
  ) : (
    <p>
      The rest of this month of {moneyText(plan.fee)} is taken from the live wallet now, and the whole fee at the start
      of each month. It holds from the next request on.
    </p>
  );

const GUIDES: Readonly<Record<string, string>> = {
  sms: "first-sms",
  chat: "chat",
  airtime: "airtime-and-data",
  electricity: "electricity",
  cable: "cable-tv",
};
