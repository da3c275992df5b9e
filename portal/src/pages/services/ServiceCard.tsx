import { Link } from "@tanstack/react-router";
import type { Models } from "../../api/client.ts";
import { Icon, isIcon } from "../../pieces/Icon.tsx";
import { Pill } from "../../pieces/StatusPill.tsx";
import { dayOf } from "../../pieces/time.ts";
import { isService } from "../service/services.ts";
import { ABOUT, feeOf, priceOfOne, quotaOf } from "./copy.ts";
import styles from "./Services.module.css";
import { usePlanChange } from "./usePlanChange.tsx";

interface CardProps {
  readonly service: Models["Service"];
  readonly subscription: Models["Subscription"] | undefined;
}

/** A service: what it is, its plans, and the choice of one in place. */
export function ServiceCard({ service, subscription }: CardProps) {
  const { choiceOf, dialogue } = usePlanChange(service, subscription);
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
            {choiceOf(plan)}
          </li>
        ))}
      </ul>
      <footer className="apart">
        <span className="soft number">
          {subscription ? `Since ${dayOf(subscription.since)}` : "Not subscribed"} · {service.version}
        </span>
        {subscription && isService(service.service) ? (
          <Link to={`/services/${service.service}`} aria-label={`Try it: ${service.name}`}>
            Try it
          </Link>
        ) : (
          <a href={`/docs/guides/${GUIDES[service.service] ?? ""}`}>Read the guide</a>
        )}
      </footer>
      {dialogue}
    </section>
  );
}

const GUIDES: Readonly<Record<string, string>> = {
  sms: "first-sms",
  chat: "chat",
  airtime: "airtime-and-data",
  electricity: "electricity",
  cable: "cable-tv",
};
