import type { Listed } from "../../api/orders.ts";
import type { Column } from "../../pieces/DataTable/column.ts";
import { Charged } from "../../pieces/Money.tsx";
import { Phone } from "../../pieces/Phone.tsx";
import { StatusPill } from "../../pieces/StatusPill.tsx";
import { dayAndTime } from "../../pieces/time.ts";
import { kindOf, targetOf, whatOf } from "./order.ts";

const mono = (text: string | undefined) => (text ? <span className="mono">{text}</span> : null);

/** What is shown of an order in a row. */
export const COLUMNS: readonly Column<Listed>[] = [
  { id: "order", name: "Order", width: 110, cell: kindOf, narrow: (order) => <Phone number={targetOf(order)} /> },
  { id: "to", name: "To", width: 170, isWide: true, cell: (order) => <Phone number={targetOf(order)} /> },
  { id: "what", name: "What", isWide: true, cell: whatOf },
  {
    id: "reference",
    name: "Reference",
    width: 150,
    isWide: true,
    isOptional: true,
    cell: (order) => mono("reference" in order ? order.reference : undefined),
  },
  { id: "id", name: "Id", width: 270, isWide: true, isOptional: true, cell: ({ id }) => mono(id) },
  {
    id: "state",
    name: "State",
    width: 140,
    cell: ({ status }) => <StatusPill status={status} />,
    narrow: (order) => <Charged {...order} />,
  },
  { id: "price", name: "Price", width: 160, isWide: true, isEnd: true, cell: (order) => <Charged {...order} /> },
  { id: "charge", name: "Money", width: 100, isWide: true, isOptional: true, cell: ({ charge }) => charge },
  {
    id: "at",
    name: "At",
    width: 130,
    isWide: true,
    isEnd: true,
    cell: ({ created_at }) => <span className="number">{dayAndTime(created_at)}</span>,
  },
];

export const keyOf = ({ id }: Listed): string => id;
export const labelOf = (order: Listed): string => `Open ${kindOf(order)} ${order.id}`;
