import type { ReactNode } from "react";
import type { Order } from "../../api/orders.ts";
import { CopyButton } from "../../pieces/CopyButton.tsx";
import { Money } from "../../pieces/Money.tsx";
import { Phone } from "../../pieces/Phone.tsx";
import { Prose } from "../../pieces/Prose.tsx";
import { StatusPill } from "../../pieces/StatusPill.tsx";
import { dayAndTime } from "../../pieces/time.ts";
import styles from "./Drawer.module.css";
import { targetOf, whatOf } from "./order.ts";

/** What was ordered, for whom, and what became of it. */
export function Facts({ order }: { readonly order: Order }) {
  const failure = "failure" in order ? order.failure : undefined;
  const reference = "reference" in order ? order.reference : undefined;
  const bulk = "bulk_id" in order ? order.bulk_id : undefined;
  const tokens = "tokens" in order ? order.tokens : undefined;
  const target = targetOf(order);
  return (
    <>
      <div className="row">
        <StatusPill status={order.status} />
        <span className="soft">{order.mode === "test" ? "test mode" : ""}</span>
      </div>
      {failure && (
        <p className={styles.failure}>
          <Prose text={failure.detail} />
        </p>
      )}
      <dl className={styles.facts}>
        <Fact name="To">
          <Phone number={target} />
        </Fact>
        {target !== order.to && (
          <Fact name="Customer">
            <Phone number={order.to} />
          </Fact>
        )}
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
        {bulk && (
          <Fact name="Bulk">
            <span className={`mono ${styles.small}`}>{bulk}</span>
          </Fact>
        )}
        <Fact name="Id">
          <span className="row">
            <span className={`mono ${styles.small}`}>{order.id}</span>
            <CopyButton text={order.id} what="id" />
          </span>
        </Fact>
      </dl>
    </>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
