import { Skeleton } from "@mantine/core";
import { useServices, useSubscriptions } from "../../api/read.ts";
import { Page } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { PlanTable } from "./PlanTable.tsx";

/** All plans of all services side by side, and the change from one to another. */
export function Plans() {
  const services = useServices();
  const subscriptions = useSubscriptions();
  const error = services.error ?? subscriptions.error;
  const again = () => void Promise.all([services.refetch(), subscriptions.refetch()]);
  return (
    <Page
      title="Plans"
      line="What each plan costs and allows, and which one you have. A plan counts in test and live mode."
    >
      {services.data && subscriptions.data ? (
        services.data.data.map((service) => (
          <PlanTable
            key={service.service}
            service={service}
            subscription={subscriptions.data.data.find((one) => one.service === service.service)}
          />
        ))
      ) : error ? (
        <ProblemView error={error} again={again} />
      ) : (
        <div className="stack" role="status" aria-busy="true" aria-label="Loading">
          {[0, 1, 2].map((index) => (
            <Skeleton key={index} height={340} radius="md" />
          ))}
        </div>
      )}
    </Page>
  );
}
