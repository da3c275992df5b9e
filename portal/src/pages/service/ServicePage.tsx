import { Button, Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Models } from "../../api/client.ts";
import { useLimits, useSubscriptions } from "../../api/read.ts";
import { Empty } from "../../pieces/Empty.tsx";
import type { IconName } from "../../pieces/Icon.tsx";
import { Page } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { Limits } from "./Limits.tsx";
import { Magic } from "./Magic.tsx";
import type { MagicKind } from "./magic.ts";
import styles from "./ServicePage.module.css";
import { type ServiceName, UNITS } from "./services.ts";
import { Usage } from "./Usage.tsx";

interface ServicePageProps {
  readonly service: ServiceName;
  readonly title: string;
  /** What one does here, without a subscription to tell of. */
  readonly line: string;
  readonly icon: IconName;
  readonly magic: MagicKind;
  /** The way to a sister page of the same service. */
  readonly beside?: ReactNode;
  /** The form with its far end. */
  readonly children: ReactNode;
}

/** A service: its plan with what is used of it, the form that tries it, its month and its limits. */
export function ServicePage({ service, title, line, icon, magic, beside, children }: ServicePageProps) {
  const subscriptions = useSubscriptions();
  const limits = useLimits();
  const subscription = subscriptions.data?.data.find((one) => one.service === service);
  const quota = limits.data?.quotas.find((one) => one.service === service);
  return (
    <Page
      title={title}
      line={subscription ? planLine(subscription, quota, UNITS[service]) : line}
      action={
        <div className="row">
          {beside}
          {subscription && (
            <Button variant="default" component={Link} to="/plans">
              Change plan
            </Button>
          )}
        </div>
      }
    >
      {subscription ? (
        <>
          <section className="card" aria-label={`Try ${title}`}>
            {children}
          </section>
          <Magic kind={magic} />
          <div className={styles.halves}>
            <Usage service={service} />
            <Limits service={service} />
          </div>
        </>
      ) : subscriptions.error ? (
        <ProblemView error={subscriptions.error} again={() => void subscriptions.refetch()} />
      ) : subscriptions.data ? (
        <section className="card">
          <Empty
            icon={icon}
            title="Not subscribed yet"
            action={
              <Button component={Link} to="/plans">
                Choose a plan
              </Button>
            }
          >
            Choose a plan for it. Then this page works with simulated phones, meters and smartcards.
          </Empty>
        </section>
      ) : (
        <div role="status" aria-busy="true" aria-label="Loading">
          <Skeleton height={720} radius="md" />
        </div>
      )}
    </Page>
  );
}

function planLine({ plan }: Models["Subscription"], quota: Models["Quota"] | undefined, unit: string): string {
  if (!quota) return `${plan.name} plan${plan.quota === null ? `, any number of ${unit}` : ""}`;
  const used = (quota.limit - quota.remaining).toLocaleString("en-NG");
  return `${plan.name} plan, ${used} of ${quota.limit.toLocaleString("en-NG")} ${unit} used this month`;
}
