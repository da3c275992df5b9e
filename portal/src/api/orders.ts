import { today } from "../pieces/time.ts";
import { ask, headersFor, type Models } from "./client.ts";
import { placeNow } from "./place.ts";
import { Problem, unreachable } from "./problem.ts";

export type Listed = Models["AnyListedOrder"];
export type Order = Models["AnyOrder"];

/** What is looked for, as it stands in the page's address; days are those of Lagos. */
export interface OrderFilters {
  readonly find?: string;
  readonly kind?: string;
  readonly service?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface OrderPage {
  readonly data: readonly Listed[];
  readonly next_cursor?: string;
}

const DAY_MS = 86_400_000;
/** Lagos is an hour ahead of UTC, all year. */
const startOf = (day: string): number => Date.parse(`${day}T00:00:00+01:00`);

function queryOf({ from, to, ...filters }: OrderFilters, more: Readonly<Record<string, string>> = {}): URLSearchParams {
  const query = new URLSearchParams(more);
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  if (from && !Number.isNaN(startOf(from))) query.set("created_after", new Date(startOf(from)).toISOString());
  if (to && !Number.isNaN(startOf(to))) query.set("created_before", new Date(startOf(to) + DAY_MS).toISOString());
  return query;
}

/** Orders found by whatever is known of them, newest first. `after`: behind the page before. */
export const findOrders = (filters: OrderFilters, limit: number, after = ""): Promise<OrderPage> =>
  ask("GET", `/orders?${queryOf(filters, { limit: String(limit), ...(after && { after }) })}`);

const LINE_END = 10;

/** The same as a file for spreadsheets. `told`: how many lines have come so far. */
export async function exportOrders(
  filters: OrderFilters,
  { told, signal }: { told: (lines: number) => void; signal: AbortSignal },
): Promise<{ readonly file: Blob; readonly name: string }> {
  const answer = await fetch(`/portal/api/orders.csv?${queryOf(filters)}`, {
    headers: headersFor("GET"),
    signal,
  }).catch(() => {
    throw unreachable();
  });
  if (!answer.ok || !answer.body) throw new Problem(answer.status, await answer.json().catch(() => undefined));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = answer.body.getReader();
  for (let lines = 0; ; ) {
    const { value, done } = await reader.read().catch(() => {
      throw unreachable(); // it broke off: half a file is not taken for a whole one
    });
    if (done) break;
    parts.push(value);
    for (const byte of value) if (byte === LINE_END) lines += 1;
    told(lines);
  }
  const mode = placeNow().mode === "test" ? "-TEST" : "";
  return { file: new Blob(parts, { type: "text/csv" }), name: `orders${mode}-${today()}.csv` };
}

export interface View {
  readonly id: string;
  readonly name: string;
  readonly filters: Omit<OrderFilters, "find">;
}

export const listViews = (): Promise<{ readonly data: readonly View[] }> => ask("GET", "/views?list=orders");
export const saveView = (name: string, filters: View["filters"]): Promise<View> =>
  ask("POST", "/views", { list: "orders", name, filters });
export const removeView = (id: string): Promise<void> => ask("DELETE", `/views/${id}`);
