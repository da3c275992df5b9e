import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { Order } from "../../api/orders.ts";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { Timeline } from "../../pieces/Timeline.tsx";
import { Deliveries } from "./Deliveries.tsx";
import styles from "./Drawer.module.css";
import { Facts } from "./Facts.tsx";
import { withMoney } from "./money.ts";
import { useMoney, useOrder } from "./order.queries.ts";
import { kindOf } from "./order.ts";
import { Receipt } from "./Receipt.tsx";
import { Requests } from "./Requests.tsx";
import { SendAgain } from "./SendAgain.tsx";

interface DrawerProps {
  readonly id: string | undefined;
  readonly close: () => void;
  /** Another one in its place. */
  readonly show: (id: string) => void;
}

/** One order: what, to whom, where it is, its money, and what was said of it on all sides. A page of its own where there is no room. */
export function OrderDrawer({ id, close, show }: DrawerProps) {
  const isNarrow = useMediaQuery("(max-width: 767px)");
  const order = useOrder(id);
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      size={isNarrow ? "100%" : 520}
      title={order.data ? kindOf(order.data) : "Order"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {order.data ? (
        <Shown key={order.data.id} order={order.data} show={show} />
      ) : order.error ? (
        <ProblemView error={order.error} />
      ) : (
        <SkeletonRows count={7} />
      )}
    </Drawer>
  );
}

function Shown({ order, show }: { readonly order: Order; readonly show: (id: string) => void }) {
  const money = useMoney(order);
  const steps = ("timeline" in order ? order.timeline : undefined) ?? [];
  return (
    <div className={styles.order}>
      <Facts order={order} />
      <section aria-label="Timeline" className={styles.part}>
        <h3>Timeline</h3>
        <Timeline steps={withMoney(steps, money.data ?? [])} />
      </section>
      <div className={styles.acts}>
        <SendAgain order={order} show={show} />
        <Receipt order={order} />
      </div>
      <Requests order={order} />
      <Deliveries order={order} />
    </div>
  );
}
