import { Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Models } from "../../api/client.ts";
import { type UsageBy, useUsage, useWallet } from "../../api/read.ts";
import { useScope } from "../../api/session.ts";
import { Empty } from "../../pieces/Empty.tsx";
import { Money } from "../../pieces/Money.tsx";
import { Notice } from "../../pieces/Notice.tsx";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { StatusPill } from "../../pieces/StatusPill.tsx";
import { stateOf } from "../../pieces/states.ts";
import { today } from "../../pieces/time.ts";
import { OrderRows } from "../orders/OrderRows.tsx";
import styles from "./Home.module.css";

/** Orders that home shows. */
export const LATEST = 6;

interface FiguresProps {
  /** Undefined: not here yet. */
  readonly latest: readonly Models["AnyListedOrder"][] | undefined;
}

/** Balance and spend, today by service and state, and the latest orders. */
export function Figures({ latest }: FiguresProps) {
  const wallet = useWallet();
  const [, mode] = useScope();
  const day = today();
  const byState = useUsage("status", day, day);
  const lines = byState.data?.data ?? [];
  const count = (tone: string) =>
    lines.filter(({ status }) => stateOf(status ?? "").tone === tone).reduce((sum, { orders }) => sum + orders, 0);
  const error = wallet.error ?? byState.error;
  return (
    <>
      {error && <ProblemView error={error} again={() => void Promise.all([wallet.refetch(), byState.refetch()])} />}
      <div className={styles.figures}>
        <Figure name="Available">{wallet.data && <Money of={wallet.data.available} />}</Figure>
        <Figure name="Held for orders on their way">{wallet.data && <Money of={wallet.data.held} />}</Figure>
        <Figure name="Spent today">{byState.data && <Money of={byState.data.total.charged} />}</Figure>
        <Figure name="Orders today">{byState.data?.total.orders.toLocaleString("en-NG")}</Figure>
      </div>
      {mode === "live" && wallet.data && Number(wallet.data.balance.amount) === 0 && (
        <Notice tone="waiting">
          The live wallet is empty. Whoever runs this gateway can credit it, or your own program tops it up through{" "}
          <a href="/docs/api/wallet">Paystack</a>. Until then only test mode sends.
        </Notice>
      )}
      {count("failed") + count("unknown") > 0 && (
        <p className={styles.eyes}>
          <strong className="number">{count("failed") + count("unknown")}</strong> of today’s orders failed or are
          unclear.{" "}
          <Link to="/orders" search={{ status: count("unknown") > 0 ? "unknown" : "failed" }}>
            Look at them
          </Link>
        </p>
      )}
      <div className={styles.halves}>
        <UsageCard title="Today by service" by="service" day={day} />
        <UsageCard title="Today by state" by="status" day={day} />
      </div>
      <section className="card" aria-labelledby="latest">
        <div className="apart">
          <h2 id="latest">Latest orders</h2>
          <Link to="/orders" search={{}}>
            All orders
          </Link>
        </div>
        {!latest ? (
          <SkeletonRows count={LATEST} />
        ) : latest.length > 0 ? (
          <OrderRows orders={latest} />
        ) : (
          <Empty icon="orders" title="No orders yet">
            Each message and purchase appears here with its state and its money.
          </Empty>
        )}
      </section>
    </>
  );
}

const Figure = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className={`card ${styles.figure}`}>
    <p className="soft">{name}</p>
    <p className={`${styles.value} number`}>{children ?? <Skeleton height={28} width={120} />}</p>
  </div>
);

interface UsageCardProps {
  readonly title: string;
  readonly by: UsageBy;
  readonly day: string;
}

function UsageCard({ title, by, day }: UsageCardProps) {
  const usage = useUsage(by, day, day);
  const rows = usage.data?.data ?? [];
  const most = Math.max(1, ...rows.map(({ orders }) => orders));
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {usage.data && rows.length === 0 && <p className="soft">Nothing yet today.</p>}
      {!usage.data && !usage.error && <Skeleton height={72} mt={8} />}
      <ul className={styles.bars}>
        {rows.map(({ service, status, orders, charged }) => (
          <li key={service ?? status}>
            <span>{status ? <StatusPill status={status} /> : (NAMES[service ?? ""] ?? service)}</span>
            <span className={styles.bar}>
              <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
                <rect width={(100 * orders) / most} height="6" rx="1" fill="var(--brand)" />
              </svg>
            </span>
            <span className="number">{orders.toLocaleString("en-NG")}</span>
            <span className="number soft">
              <Money of={charged} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  sms: "SMS",
  chat: "Chat",
  airtime: "Airtime and data",
  electricity: "Electricity",
  cable: "Cable TV",
};
