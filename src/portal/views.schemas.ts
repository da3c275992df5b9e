import Type from "typebox";
import { closed, Id, IdParameter, ListOf, oneOf, Timestamp } from "../http/schemas.ts";

/** Lists that can be looked at in views of one's own. */
export const LISTS = ["orders"] as const;

/** Of one person in one account and list. */
export const VIEWS_MAX = 20;

const word = Type.Optional(Type.String({ minLength: 1, maxLength: 40, pattern: "^[a-z0-9_-]+$" }));
const day = Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }));

/** As they stand in the page's address, without what is searched for: numbers of people are kept with their orders alone. */
export const ViewFilters = closed({ kind: word, service: word, status: word, from: day, to: day });
export type ViewFilters = Type.Static<typeof ViewFilters>;

const Name = Type.String({ minLength: 1, maxLength: 60, pattern: "\\S" });

export const View = Type.Object(
  { id: Id("vew"), object: Type.Literal("view"), name: Name, filters: ViewFilters, created_at: Timestamp },
  { title: "View" },
);
export const ViewList = ListOf(View);
export const ViewsQuery = closed({ list: oneOf(LISTS) });
export const NewView = closed({ list: oneOf(LISTS), name: Name, filters: ViewFilters });
export const ViewParams = Type.Object({ view_id: IdParameter("vew", "`id` of the view.") });
