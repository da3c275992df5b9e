import { Skeleton } from "@mantine/core";
import { useServiceMonth } from "../../api/read.ts";
import { Money } from "../../pieces/Money.tsx";
import { Plot } from "../../pieces/Plot.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { dayShort, daysOfMonth, monthOf, today } from "../../pieces/time.ts";
import type { ServiceName } from "./services.ts";

/** A service's orders in this month, by the days of Lagos. */
export function Usage({ service }: { readonly service: ServiceName }) {
  const now = today();
  const days = daysOfMonth(now);
  const usage = useServiceMonth(service, days[0] ?? now, now);
  const of = new Map(usage.data?.data.map((line) => [line.day, line]));
  return (
    <section className="card stack" aria-labelledby="usage">
      <div className="apart">
        <h2 id="usage">{monthOf(now)}</h2>
        {usage.data && (
          <span className="soft number">
            {counted(usage.data.total.orders)} · <Money of={usage.data.total.charged} /> charged
          </span>
        )}
      </div>
      {usage.data ? (
        <Plot
          name="Orders by day"
          columns={["Day", "Orders", "Charged"]}
          points={days.map((day) => {
            const line = of.get(day);
            return {
              key: day,
              label: dayShort(day),
              value: line?.orders ?? 0,
              isAhead: day > now,
              more: line && <Money of={line.charged} />,
            };
          })}
        />
      ) : usage.error ? (
        <ProblemView error={usage.error} again={() => void usage.refetch()} />
      ) : (
        <Skeleton height={196} />
      )}
    </section>
  );
}

const counted = (orders: number): string => `${orders.toLocaleString("en-NG")} ${orders === 1 ? "order" : "orders"}`;
