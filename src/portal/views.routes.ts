import Type from "typebox";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { listOf } from "../http/schemas.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId, encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { invariant } from "../kernel/result.ts";
import { listViews, removeView, type SavedView, saveView } from "./views.repo.ts";
import { NewView, VIEWS_MAX, View, ViewList, ViewParams, ViewsQuery } from "./views.schemas.ts";

const PATH = "/portal/api/views";
const OWN = { scope: "read", policy: "read", forPeople: true } as const;

export interface ViewsRoutesOptions {
  readonly db: Database;
  readonly clock: Clock;
}

/** `/portal/api/views`: filters of a list by name, each person's own in each account. */
export function viewsRoutes(app: Http, { db, clock }: ViewsRoutesOptions): void {
  app.get(
    PATH,
    { config: { auth: OWN }, schema: { hide: true, querystring: ViewsQuery, response: { 200: ViewList } } },
    async (request) => {
      const views = await listViews(db, { ...ownerOf(callerOf(request)), list: request.query.list });
      return listOf(views.map(view));
    },
  );

  app.post(
    PATH,
    {
      config: { auth: OWN, errors: ["invalid_state"] },
      schema: { hide: true, body: NewView, response: { 201: View } },
    },
    async (request, reply) => {
      const { list, name, filters } = request.body;
      const wanted = { id: newUuid(), name: name.trim(), filters, createdAt: clock.now() };
      const saved = await saveView(db, { ...ownerOf(callerOf(request)), list }, wanted, VIEWS_MAX);
      return saved ? reply.code(201).send(view(saved)) : sendRefusal(reply, TOO_MANY);
    },
  );

  app.delete(
    `${PATH}/:view_id`,
    {
      config: { auth: OWN, errors: ["not_found"] },
      schema: { hide: true, params: ViewParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const id = decodeId("vew", request.params.view_id);
      const isRemoved = id !== undefined && (await removeView(db, ownerOf(callerOf(request)), id));
      return isRemoved ? reply.code(204).send(null) : sendRefusal(reply, NO_VIEW);
    },
  );
}

function ownerOf({ accountId, person }: ReturnType<typeof callerOf>) {
  invariant(person, "the route is for people");
  return { accountId: accountId as Uuid, personId: person.id as Uuid };
}

const view = ({ id, name, filters, createdAt }: SavedView) => ({
  id: encodeId("vew", id),
  object: "view" as const,
  name,
  filters,
  created_at: createdAt.toISOString(),
});

const NO_VIEW = refusal("not_found", "There is no such view of yours in this account.");
const TOO_MANY = refusal(
  "invalid_state",
  `You have ${VIEWS_MAX} views here, and more would not fit over the table. Remove one first.`,
);
