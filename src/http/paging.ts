import type { Uuid } from "../kernel/ids.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import { decodeCursor, encodeCursor, type PageRequest } from "./cursor.ts";
import { LIST_LIMIT_DEFAULT, listOf } from "./schemas.ts";

/** The paging parameters of a list's query, beside its filters. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

interface Item {
  readonly id: Uuid;
}

/** One page of a list, newest first. */
export interface Page<Filters> {
  readonly filters: Filters;
  /** Items that are shown at most. */
  readonly limit: number;
  /** Rows to read: one more than shown, which reveals whether there is a next page. */
  readonly rowLimit: number;
  /** The last item of the page before; undefined on the first page. */
  readonly beforeId: Uuid | undefined;
  /** The shown rows of those read. */
  shown<Row extends Item>(rows: readonly Row[]): readonly Row[];
  /** The answer's body; `viewOf` is called for the rows that are shown. */
  answer<Row extends Item, View>(rows: readonly Row[], viewOf: (row: Row) => View): ReturnType<typeof listOf<View>>;
  /**
   * The same, with the views of all shown rows made at once, in their order. `lookedTo`: there may be more rows after this item,
   * although the page is not full.
   */
  answerWith<Row extends Item, View>(
    rows: readonly Row[],
    viewsOf: (shown: readonly Row[]) => Promise<readonly View[]>,
    lookedTo?: Uuid,
  ): Promise<ReturnType<typeof listOf<View>>>;
}

/** Reads the paging parameters of a request. Errors: `invalid_cursor`. */
export function readPage<Query extends PageQuery>(
  request: PageRequest,
  query: Query,
): Result<Page<Omit<Query, "limit" | "after">>, Refusal> {
  const { limit = LIST_LIMIT_DEFAULT, after, ...filters } = query;
  const cursor = after === undefined ? undefined : decodeCursor(request, after, filters);
  if (cursor && !cursor.ok) return cursor;
  const shown = <Row extends Item>(rows: readonly Row[]) => rows.slice(0, limit);
  const nextOf = (rows: readonly Item[], lookedTo?: Uuid) => {
    const last = rows.length > limit ? rows[limit - 1]!.id : lookedTo;
    return last && encodeCursor(request, last, filters);
  };
  return ok({
    filters,
    limit,
    rowLimit: limit + 1,
    beforeId: cursor?.value,
    shown,
    answer: (rows, viewOf) => listOf(shown(rows).map(viewOf), nextOf(rows)),
    answerWith: async (rows, viewsOf, lookedTo) => listOf([...(await viewsOf(shown(rows)))], nextOf(rows, lookedTo)),
  });
}
