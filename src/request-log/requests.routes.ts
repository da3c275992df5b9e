import type { KeyRecord } from "../accounts/key-record.ts";
import type { Db } from "../db/database.ts";
import { callerOf, overLimit } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { listOf } from "../http/schemas.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { decodeId, encodeId, type IdPrefix, madeAt, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import {
  endOfStretch,
  findRequest,
  type KeptRequest,
  type ListedRequest,
  listRequests,
  type RequestFilter,
} from "./requests.repo.ts";
import { LoggedRequestInFull, LoggedRequestList, RequestParams, RequestsQuery } from "./requests.schemas.ts";

const PATH = "/portal/api/requests";
/** Not of the account's limits: who has used them up looks here for the reason. */
const READ = { scope: "read", policy: null, forPeople: true } as const;
/** Of one person. A page that is open looks fifteen times. */
const LOOKS_A_MINUTE = 240;
/** For how long a request is shown. Its day is dropped once the whole of it is older. */
const KEPT_MS = 7 * DAY_MS;

export interface RequestsRoutesOptions {
  readonly db: Db;
  readonly clock: Clock;
}

/** `/portal/api/requests`: what an account's programs and people asked for, for the people of the account. */
export function requestsRoutes(app: Http, { db, clock }: RequestsRoutesOptions): void {
  const since = () => new Date(clock.now().getTime() - KEPT_MS);
  /** The refusal of somebody who looks too often. */
  const tooOften = async ({ keyId, mode }: KeyRecord): Promise<Refusal | undefined> => {
    const taken = await app.edge.limits.take(`${keyId}:${mode}`, "request-log", LOOKS_A_MINUTE, 1);
    return taken.allowed ? undefined : overLimit(taken);
  };

  app.get(
    PATH,
    {
      config: { auth: READ, errors: ["invalid_cursor", "rate_limited"] },
      schema: { hide: true, querystring: RequestsQuery, response: { 200: LoggedRequestList } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const no = await tooOften(caller);
      if (no) return sendRefusal(reply, no);
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { accountId, mode } = caller;
      const { filters, rowLimit, beforeId, answerWith } = page.value;
      const { id, order, status, code, method, by, created_after, created_before } = filters;
      const wanted = id === undefined ? undefined : requestIdOf(id);
      const about = order === undefined ? undefined : orderOf(order);
      // What is no id names nothing.
      if ((id !== undefined && !wanted) || (order !== undefined && !about)) return listOf([]);
      const filter: Omit<RequestFilter, "limit"> = {
        accountId: accountId as Uuid,
        mode: wanted ? undefined : mode,
        since: since(),
        ...(wanted && { id: wanted }),
        ...(about && { order: about }),
        ...(status !== undefined && { status: statusesOf(status) }),
        ...(code !== undefined && { code }),
        ...(method !== undefined && { method }),
        ...(!wanted && { by: by ?? "doers" }),
        ...(created_after !== undefined && { createdAfter: timeOf(created_after) }),
        ...(created_before !== undefined && { createdBefore: timeOf(created_before) }),
        ...(beforeId && { beforeId }),
      };
      // No index has whose a request is, or what its answer was: for these a page looks at a stretch.
      const end = wanted || about ? undefined : await endOfStretch(db, filter);
      const found = await listRequests(db, { ...filter, ...(end && { downTo: end }), limit: rowLimit });
      return answerWith(found, async (rows) => rows.map(listed), end);
    },
  );

  app.get(
    `${PATH}/:request_id`,
    {
      config: { auth: READ, errors: ["not_found", "rate_limited"] },
      schema: { hide: true, params: RequestParams, response: { 200: LoggedRequestInFull } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const no = await tooOften(caller);
      if (no) return sendRefusal(reply, no);
      const { accountId } = caller;
      const id = requestIdOf(request.params.request_id);
      const found = id && (await findRequest(db, { accountId: accountId as Uuid, id, since: since() }));
      return found ? inFull(found) : sendRefusal(reply, NO_REQUEST);
    },
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id in either spelling: as problems and `Request-Id` have it, or as the UUID that it is. */
function requestIdOf(text: string): Uuid | undefined {
  const id = text.trim().toLowerCase();
  return UUID.test(id) ? (id as Uuid) : decodeId("req", id);
}

const orderOf = (text: string): { readonly text: string; readonly id: Uuid } | undefined => {
  const id = decodeId(text.slice(0, 3) as IdPrefix, text);
  return id && { text, id };
};

const statusesOf = (status: string): { readonly from: number; readonly to: number } => ({
  from: Number(status.replace("xx", "00")),
  to: Number(status.replace("xx", "99")),
});

const NO_REQUEST = refusal(
  "not_found",
  "There is no such request in this account. Requests are kept for 7 days, and appear a second after their answer.",
);

const listed = ({ id, mode, method, path, status, code, durationMs, about, key, person }: ListedRequest) => ({
  id: encodeId("req", id),
  object: "request" as const,
  at: madeAt(id).toISOString(),
  mode,
  method,
  path,
  status,
  code,
  duration_ms: durationMs,
  order: about,
  key: key && { id: encodeId("key", key.id), starts: key.start ?? "", ends: key.last4 ?? "" },
  person: person && { id: encodeId("usr", person.id), name: person.name },
});

const inFull = (kept: KeptRequest) => ({
  ...listed(kept),
  kept_until: new Date(madeAt(kept.id).getTime() + KEPT_MS).toISOString(),
  request: { headers: kept.headers, body: kept.request.text, cut: kept.request.isCut },
  answer: { body: kept.answer.text, cut: kept.answer.isCut },
});
