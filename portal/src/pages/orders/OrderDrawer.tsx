import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, take } from "../../api/client.ts";
import { useScope } from "../../api/session.ts";
import { CopyButton } from "../../pieces/CopyButton.tsx";
import { Money } from "../../pieces/Money.tsx";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { Phone } from "../../pieces/Phone.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { StatusPill } from "../../pieces/StatusPill.tsx";
import { isMoving } from "../../pieces/states.ts";
import { Timeline } from "../../pieces/Timeline.tsx";
import { dayAndTime } from "../../pieces/time.ts";
import styles from "./Orders.module.css";
import { kindOf, type Order, targetOf, whatOf } from "./order.ts";

interface DrawerProps {
  readonly id: string | undefined;
  readonly close: () => void;
}

const LOOK_AGAIN_MS = 1_500;

/** One order: what, to whom, where it is, its money, and what the far end said. */
export function OrderDrawer({ id, close }: DrawerProps) {
  const scope = useScope();
  const isNarrow = useMediaQuery("(max-width: 767px)");
  const order = useQuery({
    queryKey: [...scope, "orders", "one", id],
    queryFn: () => take(api.GET("/orders/{order_id}", { params: { path: { order_id: id ?? "" } } })),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.status) ? LOOK_AGAIN_MS : false),
  });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      size={isNarrow ? "100%" : 480}
      title={order.data ? kindOf(order.data) : "Order"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {order.data ? (
        <Shown order={order.data} />
      ) : order.error ? (
        <ProblemView error={order.error} />
      ) : (
        <SkeletonRows count={7} />
      )}
    </Drawer>
  );
}

function Shown({ order }: { readonly order: Order }) {
  const failure = "failure" in order ? order.failure : undefined;
  const reference = "reference" in order ? order.reference : undefined;
  const tokens = "tokens" in order ? order.tokens : undefined;
  return (
    <div className={styles.order}>
      <div className="row">
        <StatusPill status={order.status} />
        <span className="soft">{order.mode === "test" ? "test mode" : ""}</span>
      </div>
      {failure && <ProblemNote text={failure.detail} />}
      <dl className={styles.facts}>
        <Fact name="To">
          <Phone number={targetOf(order)} />
        </Fact>
        {"from" in order && order.from && <Fact name="From">{order.from}</Fact>}
        {whatOf(order) !== "" && <Fact name="What">{whatOf(order)}</Fact>}
        {tokens?.map(({ value }) => (
          <Fact key={value} name="Token">
            <span className="mono">{value}</span>
          </Fact>
        ))}
        <Fact name="Price">
          <Money of={order.price} /> <span className="soft">({order.charge})</span>
        </Fact>
        <Fact name="At">
          <span className="number">{dayAndTime(order.created_at)}</span>
        </Fact>
        {reference && (
          <Fact name="Reference">
            <span className="mono">{reference}</span>
          </Fact>
        )}
        <Fact name="Id">
          <span className="row">
            <span className={`mono ${styles.id}`}>{order.id}</span>
            <CopyButton text={order.id} what="id" />
          </span>
        </Fact>
      </dl>
      <h3>Timeline</h3>
      <Timeline steps={("timeline" in order ? order.timeline : undefined) ?? []} />
    </div>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const ProblemNote = ({ text }: { readonly text: string }) => <p className={styles.failure}>{text}</p>;
