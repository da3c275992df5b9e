import { Skeleton } from "@mantine/core";
import { useServices, useSubscriptions } from "../../api/read.ts";
import { Page } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { ServiceCard } from "./ServiceCard.tsx";
import styles from "./Services.module.css";

export function Services() {
  const services = useServices();
  const subscriptions = useSubscriptions();
  const error = services.error ?? subscriptions.error;
  const again = () => void Promise.all([services.refetch(), subscriptions.refetch()]);
  return (
    <Page title="Services" line="What you can use, on which plan, and what one message or purchase costs.">
      {services.data && subscriptions.data ? (
        <div className={styles.grid}>
          {services.data.data.map((service) => (
            <ServiceCard
              key={service.service}
              service={service}
              subscription={subscriptions.data.data.find((one) => one.service === service.service)}
            />
          ))}
        </div>
      ) : error ? (
        <ProblemView error={error} again={again} />
      ) : (
        <div className={styles.grid} role="status" aria-busy="true" aria-label="Loading">
          {[0, 1, 2, 3].map((index) => (
            <Skeleton key={index} height={330} radius="md" />
          ))}
        </div>
      )}
    </Page>
  );
}
