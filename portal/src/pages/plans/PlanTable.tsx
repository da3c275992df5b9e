import type { Models } from "../../api/client.ts";
import { Icon, isIcon } from "../../pieces/Icon.tsx";
import { feeOf, pricesOf, quotaOf } from "../services/copy.ts";
import { usePlanChange } from "../services/usePlanChange.tsx";
import styles from "./Plans.module.css";

interface PlanTableProps {
  readonly service: Models["Service"];
  readonly subscription: Models["Subscription"] | undefined;
}

/** A service's plans, a column each. */
export function PlanTable({ service, subscription }: PlanTableProps) {
  const { choiceOf, dialogue } = usePlanChange(service, subscription);
  const purposes = purposesOf(service);
  return (
    <section className="card stack" aria-labelledby={`plans-${service.service}`}>
      <div className="apart">
        <h2 id={`plans-${service.service}`} className="row">
          <Icon name={isIcon(service.service) ? service.service : "services"} />
          {service.name}
        </h2>
        {!subscription && <span className="soft">Not subscribed</span>}
      </div>
      <ul className={styles.plans}>
        {service.plans.map((plan) => (
          <li key={plan.id} className={styles.plan} data-current={plan.id === subscription?.plan.id || undefined}>
            <div className="apart">
              <h3>{plan.name}</h3>
              {choiceOf(plan)}
            </div>
            <p className={`${styles.fee} number`}>{feeOf(plan)}</p>
            <dl className="number">
              {pricesOf(plan.prices).map(([name, text]) => (
                <Fact key={name} name={name} text={text} />
              ))}
              <Fact name="Quota" text={quotaOf(plan, service.service)} />
              {[...purposes].map(([policy, purpose]) =>
                plan.limits[policy] === undefined ? null : (
                  <Fact key={policy} name={purpose} text={`${plan.limits[policy].toLocaleString("en-NG")} a minute`} />
                ),
              )}
            </dl>
          </li>
        ))}
      </ul>
      {dialogue}
    </section>
  );
}

const Fact = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

/** Each of the service's own limits, with the first thing that counts against it. */
function purposesOf({ endpoints }: Models["Service"]): ReadonlyMap<string, string> {
  const purposes = new Map<string, string>();
  for (const { policy, purpose } of endpoints) if (!purposes.has(policy)) purposes.set(policy, purpose);
  return purposes;
}
