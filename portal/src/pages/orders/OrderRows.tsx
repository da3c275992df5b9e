import { useNavigate } from "@tanstack/react-router";
import type { Listed } from "../../api/orders.ts";
import styles from "../../pieces/Table.module.css";
import { classOf, TableHead } from "../../pieces/TableHead.tsx";
import { COLUMNS, labelOf } from "./columns.tsx";

const SHOWN = COLUMNS.filter(({ isOptional }) => !isOptional);

/** A few orders, newest first; each opens what happened to it. */
export function OrderRows({ orders }: { readonly orders: readonly Listed[] }) {
  const navigate = useNavigate();
  return (
    <table className={styles.table}>
      <TableHead heads={SHOWN} />
      <tbody>
        {orders.map((order) => (
          <tr key={order.id}>
            {SHOWN.map(({ id, cell, narrow, ...look }, at) => (
              <td key={id} className={classOf(look)}>
                {at === 0 ? (
                  <button
                    type="button"
                    className={styles.open}
                    onClick={() => void navigate({ to: "/orders", search: { order: order.id } })}
                    aria-label={labelOf(order)}
                  >
                    {cell(order)}
                  </button>
                ) : (
                  <span className={id === "what" ? styles.clipped : undefined}>{cell(order)}</span>
                )}
                {narrow && <div className={styles.narrow}>{narrow(order)}</div>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
