import Type from "typebox";
import { Amount } from "../http/amount.ts";
import { closed, extending, Id, IdParameter, ListOf, Mode, Money, oneOf, paging, Timestamp } from "../http/schemas.ts";
import { OVERLAP_SECONDS } from "./manage-keys.ts";
import { SCOPES } from "./scopes.ts";

const Scopes = Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true });
const Services = Type.Array(Type.String({ maxLength: 40 }), { minItems: 1, maxItems: 20, uniqueItems: true });
const Cidrs = Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: 50 });
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const KeyView = Type.Object(
  {
    id: Id("key"),
    object: Type.Literal("key"),
    mode: Mode,
    starts: Type.String({ description: "The key's first characters." }),
    ends: Type.String({ description: "Its last four." }),
    scopes: Type.Array(Type.String()),
    services: orNull(Type.Array(Type.String())),
    cidrs: orNull(Type.Array(Type.String())),
    spend_cap: orNull(Money),
    made_by: orNull(Type.Object({ id: Id("usr"), name: Type.String(), member: Type.Boolean() })),
    created_at: Timestamp,
    last_used_at: orNull(Timestamp),
    expires_at: orNull(Timestamp),
    revoked_at: orNull(Timestamp),
    replaced_until: orNull(Timestamp),
  },
  { title: "Key" },
);
export const KeyList = ListOf(KeyView);
export const KeyInFull = extending("KeyInFull", KeyView, {
  key: Type.String({ description: "The key, now and never again." }),
});

export const OVERLAP_HOURS = { default: OVERLAP_SECONDS.default / 3_600, max: OVERLAP_SECONDS.max / 3_600 } as const;
export const KeyParams = Type.Object({ key_id: IdParameter("key", "`id` of the key.") });
export const KeysQuery = closed(paging);
export const NewKeyBody = closed({
  scopes: Type.Optional(Scopes),
  services: Type.Optional(Services),
  cidrs: Type.Optional(Cidrs),
  spend_cap: Type.Optional(Amount),
  expires_at: Type.Optional(Timestamp),
});
export const RollBody = closed({
  overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: OVERLAP_HOURS.max })),
});
