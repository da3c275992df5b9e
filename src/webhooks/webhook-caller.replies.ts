import Type from "typebox";
import { actorOf } from "../accounts/actor.ts";
import type { KeyRecord } from "../accounts/key-record.ts";
import { IdParameter } from "../http/schemas.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Whose } from "./endpoint.ts";
import type { Caller } from "./endpoints.service.ts";

/** Where an account's events go is for those who manage it. */
export const MANAGE = { scope: "manage", policy: "manage", permission: "manage_webhooks" } as const;

export const WebhookParams = Type.Object({ webhook_id: IdParameter("whe", "`id` of the endpoint.") });

export const readerOf = ({ accountId, mode }: KeyRecord): Whose => ({ accountId: accountId as Uuid, mode });

export const writerOf = (key: KeyRecord): Caller => ({
  ...readerOf(key),
  mayVend: key.scopes.includes("vend"),
  actor: actorOf(key),
});
