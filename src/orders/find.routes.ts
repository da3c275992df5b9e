import { Readable } from "node:stream";
import type { Db } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { makeExportTurns } from "../http/export-turns.ts";
import { CSV_TYPE } from "../http/list-forms.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import type { Uuid } from "../kernel/ids.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import { type FindFilters, findQuery, OrdersCsv } from "./find.schemas.ts";
import { namesIn } from "./find.ts";
import { makeListedViews } from "./listed-views.ts";
import { listOrders } from "./listing.repo.ts";
import { statesOf } from "./order-views.ts";
import { CSV_HEAD, csvOf, cutLine } from "./orders.csv.ts";
import { orderModels } from "./orders.schemas.ts";
import type { ShownService } from "./service.ts";

const PATH = "/portal/api/orders";
const READ = { scope: "read", policy: "read", forPeople: true } as const;

/** Orders of one export, and of each of its queries. */
const EXPORT_ORDERS_MAX = 50_000;
const EXPORT_PAGE = 500;

type Caller = ReturnType<typeof callerOf>;

export interface FindRoutesOptions {
  readonly db: Db;
  readonly services: readonly ShownService[];
}

/**
 * `/portal/api/orders`: what `GET /orders` lists, found by whatever a person knows of an order, and as a file for spreadsheets. The
 * portal's own, as a program knows what it looks for.
 */
export function findRoutes(app: Http, { db, services }: FindRoutesOptions): void {
  const inTurn = makeExportTurns();
  const viewsOf = makeListedViews(services);
  const { OrderList } = orderModels(services);
  const query = findQuery(services);

  const find = ({ accountId, mode }: Caller, filters: FindFilters, limit: number, beforeId: Uuid | undefined) =>
    listOrders(db, {
      accountId: accountId as Uuid,
      mode,
      among: services
        .filter(({ definition }) => filters.service === undefined || definition.service === filters.service)
        .filter(({ definition }) => filters.kind === undefined || definition.noun.many === filters.kind)
        .map(({ definition, views }) => statesOf(definition.service, views, filters.status)),
      limit,
      ...(filters.find !== undefined && { names: namesIn(filters.find, services, mode) }),
      ...(filters.created_after !== undefined && { createdAfter: timeOf(filters.created_after) }),
      ...(filters.created_before !== undefined && { createdBefore: timeOf(filters.created_before) }),
      ...(beforeId && { beforeId }),
    });

  app.get(
    PATH,
    {
      config: { auth: READ, errors: ["invalid_cursor"] },
      schema: { hide: true, querystring: query, response: { 200: OrderList } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { filters, rowLimit, beforeId, answerWith } = page.value;
      return answerWith(await find(caller, filters, rowLimit, beforeId), (orders) => viewsOf(orders, caller));
    },
  );

  app.get(
    `${PATH}.csv`,
    {
      config: { auth: READ },
      schema: {
        hide: true,
        querystring: query,
        response: { 200: { description: "Done", content: { [CSV_TYPE]: { schema: OrdersCsv } } } },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { limit: _limit, after: _after, ...filters } = request.query;
      const name = caller.mode === "test" ? "orders-TEST.csv" : "orders.csv";
      reply.type(`${CSV_TYPE}; charset=utf-8`).header("content-disposition", `attachment; filename="${name}"`);
      return reply.send(Readable.from(request.method === "HEAD" ? [] : csvLines(caller, filters)));
    },
  );

  /** Page by page, so that an export of any length needs little memory. */
  async function* csvLines(caller: Caller, filters: FindFilters) {
    yield CSV_HEAD;
    let last: Uuid | undefined;
    for (let count = 0; count < EXPORT_ORDERS_MAX; count += EXPORT_PAGE) {
      const beforeId = last;
      const rows = await inTurn(caller.accountId, () => find(caller, filters, EXPORT_PAGE + 1, beforeId));
      const page = rows.slice(0, EXPORT_PAGE);
      yield (await viewsOf(page, caller)).map(csvOf).join("");
      if (rows.length <= EXPORT_PAGE) return;
      last = page.at(-1)?.id;
    }
    yield cutLine(EXPORT_ORDERS_MAX);
  }
}
