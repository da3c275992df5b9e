import { cell, csvLine, textCell, UTF8_MARK } from "../kernel/csv.ts";

/** An order as its service lists it, as far as an export reads it. */
interface ListedOrder {
  readonly id: string;
  readonly object: string;
  readonly mode: string;
  readonly status: string;
  readonly to: string;
  readonly meter_number?: string;
  readonly smartcard_number?: string;
  readonly from?: string;
  readonly message?: string;
  readonly plan?: { readonly name: string };
  readonly template?: { readonly name: string };
  readonly segments?: number;
  readonly amount?: { readonly amount: string };
  readonly price: { readonly amount: string; readonly currency: string; readonly tax: string };
  readonly charge: string;
  readonly reference?: string;
  readonly bulk_id?: string;
  readonly failure?: { readonly code: string };
  readonly created_at: string;
}

const money = (text: string | undefined): string => cell(text ?? "");
const text = (value: string | number | undefined): string => textCell(String(value ?? ""));

/** The columns by heading. Whatever is no money is a text. */
const COLUMNS = {
  id: ({ id }) => text(id),
  service: ({ object }) => text(object),
  mode: ({ mode }) => text(mode),
  status: ({ status }) => text(status),
  to: ({ to }) => text(to),
  number: ({ meter_number: meter, smartcard_number: smartcard }) => text(meter ?? smartcard),
  from: ({ from }) => text(from),
  what: ({ message, plan, template }) => text(message ?? plan?.name ?? template?.name),
  segments: ({ segments }) => cell(String(segments ?? "")),
  amount: ({ amount }) => money(amount?.amount),
  price: ({ price }) => money(price.amount),
  tax: ({ price }) => money(price.tax),
  currency: ({ price }) => text(price.currency),
  charge: ({ charge }) => text(charge),
  reference: ({ reference }) => text(reference),
  bulk_id: ({ bulk_id: bulk }) => text(bulk),
  failure: ({ failure }) => text(failure?.code),
  created_at: ({ created_at: at }) => cell(at),
} satisfies Record<string, (order: ListedOrder) => string>;

export const CSV_HEAD = `${UTF8_MARK}${csvLine(Object.keys(COLUMNS))}`;

export const csvOf = (order: object): string =>
  csvLine(Object.values(COLUMNS).map((read) => read(order as ListedOrder)));

/** The last line of an export that does not have all orders. */
export const cutLine = (most: number): string =>
  csvLine([
    cell(
      `Only the newest ${most.toLocaleString("en-NG")} orders are in this file. Choose a shorter time and export the rest.`,
    ),
  ]);
