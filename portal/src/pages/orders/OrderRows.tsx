import { useNavigate } from "@tanstack/react-router";
import { Money } from "../../pieces/Money.tsx";
import { Phone } from "../../pieces/Phone.tsx";
import { StatusPill } from "../../pieces/StatusPill.tsx";
import styles from "../../pieces/Table.module.css";
import { dayAndTime } from "../../pieces/time.ts";
import { kindOf, type Listed, targetOf, whatOf } from "./order.ts";

/** Orders, newest first; each opens what happened to it. */
export function OrderRows({ orders }: { readonly orders: readonly Listed[] }) {
  const navigate = useNavigate();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Order</th>
          <th scope="col" className={styles.wide}>
            To
          </th>
          <th scope="col" className={styles.wide}>
            What
          </th>
          <th scope="col">State</th>
          <th scope="col" className={`${styles.wide} ${styles.end}`}>
            Price
          </th>
          <th scope="col" className={`${styles.wide} ${styles.end}`}>
            At
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.id}>
            <td>
              <button
                type="button"
                className={styles.open}
                onClick={() => void navigate({ to: "/orders", search: (old) => ({ ...old, order: order.id }) })}
                aria-label={`Open ${kindOf(order)} ${order.id}`}
              >
                {kindOf(order)}
              </button>
              <div className={styles.narrow}>
                <Phone number={targetOf(order)} />
              </div>
            </td>
            <td className={styles.wide}>
              <Phone number={targetOf(order)} />
            </td>
            <td className={styles.wide}>
              <span className={styles.clipped}>{whatOf(order)}</span>
            </td>
            <td>
              <StatusPill status={order.status} />
              <div className={styles.narrow}>
                <Money of={order.price} />
              </div>
            </td>
            <td className={`${styles.wide} ${styles.end}`}>
              <Money of={order.price} />
            </td>
            <td className={`${styles.wide} ${styles.end} number`}>{dayAndTime(order.created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
