import Type from "typebox";
import { closed, extending, Id, IdParameter, ListOf, Mode, oneOf, paging, Timestamp } from "../http/schemas.ts";

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

const LoggedRequest = Type.Object(
  {
    id: Id("req"),
    object: Type.Literal("request"),
    at: Timestamp,
    mode: Mode,
    method: Type.String(),
    path: Type.String({ description: "With its query; values that may be personal are masked." }),
    status: Type.Integer(),
    code: orNull(Type.String({ description: "The error code of a refusal." })),
    duration_ms: Type.Number(),
    order: orNull(Type.String({ description: "The id of the order, bulk or transfer that it was about." })),
    key: orNull(Type.Object({ id: Id("key"), starts: Type.String(), ends: Type.String() })),
    person: orNull(Type.Object({ id: Id("usr"), name: orNull(Type.String()) })),
  },
  { title: "LoggedRequest" },
);
export const LoggedRequestList = ListOf(LoggedRequest);

/** `null`: there was none, or it is not kept. */
const Body = { body: orNull(Type.String({ description: "JSON without its secrets." })), cut: Type.Boolean() };

export const LoggedRequestInFull = extending("LoggedRequestInFull", LoggedRequest, {
  kept_until: Timestamp,
  request: Type.Object({ headers: Type.Record(Type.String(), Type.String()), ...Body }),
  answer: Type.Object(Body),
});

const ID_CHARACTERS_MAX = 60;

export const RequestsQuery = closed({
  ...paging,
  id: Type.Optional(Type.String({ minLength: 1, maxLength: ID_CHARACTERS_MAX })),
  order: Type.Optional(Type.String({ minLength: 1, maxLength: ID_CHARACTERS_MAX })),
  status: Type.Optional(
    Type.String({ pattern: "^[1-5](?:[0-9]{2}|xx)$", description: "One status, or a class: `4xx`." }),
  ),
  code: Type.Optional(Type.String({ pattern: "^[a-z][a-z0-9_]{0,59}$" })),
  method: Type.Optional(oneOf(METHODS)),
  by: Type.Optional(oneOf(["programs", "people"])),
  created_after: Type.Optional(Timestamp),
  created_before: Type.Optional(Timestamp),
});
export const RequestParams = Type.Object({ request_id: IdParameter("req", "`request_id` of a problem.") });
