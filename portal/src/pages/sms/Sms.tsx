import { Button, Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useLimits, useSubscriptions } from "../../api/read.ts";
import { Empty } from "../../pieces/Empty.tsx";
import { Page } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { MagicNumbers } from "./MagicNumbers.tsx";
import { TryIt } from "./TryIt.tsx";

export function Sms() {
  const subscriptions = useSubscriptions();
  const limits = useLimits();
  const subscription = subscriptions.data?.data.find(({ service }) => service === "sms");
  const quota = limits.data?.quotas.find(({ service }) => service === "sms");
  const used = quota && `, ${quota.limit - quota.remaining} of ${quota.limit} messages used this month`;
  return (
    <Page
      title="SMS"
      line={subscription ? `${subscription.plan.name} plan${used ?? ""}` : "Send one and watch it arrive."}
      action={
        subscription && (
          <Button variant="default" component={Link} to="/services">
            Change plan
          </Button>
        )
      }
    >
      {subscription ? (
        <>
          <section className="card">
            <TryIt />
          </section>
          <MagicNumbers />
        </>
      ) : subscriptions.error ? (
        <ProblemView error={subscriptions.error} again={() => void subscriptions.refetch()} />
      ) : subscriptions.data ? (
        <section className="card">
          <Empty
            icon="sms"
            title="Not subscribed yet"
            action={
              <Button component={Link} to="/services">
                Choose a plan
              </Button>
            }
          >
            Choose a plan for SMS, and this page sends messages to a simulated phone.
          </Empty>
        </section>
      ) : (
        <Skeleton height={620} radius="md" />
      )}
    </Page>
  );
}
