import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { PersonalKind } from "../kernel/purged.ts";
import { invariant } from "../kernel/result.ts";
import { kindsWith, purgedOf, withoutPersonalData } from "../orders/personal-data.ts";
import type { ServiceDefinition } from "../orders/service-definition.ts";
import {
  forgetFingerprints,
  forgetWords,
  lockEnded,
  lockGroups,
  type PurgeableOrder,
  storeColumns,
  storeGroup,
} from "./orders.repo.ts";

export type Services = ReadonlyMap<string, ServiceDefinition>;

export interface PurgedOrders {
  readonly accountId: Uuid;
  readonly ids: readonly Uuid[];
  readonly kind: PersonalKind;
  /** Those that ended later are left as they are. */
  readonly endedBy: Date;
  readonly now: Date;
}

/** Removes personal data of this kind from the orders, with what belongs to them. Returns those that must wait. */
export async function purgeOrders(
  tx: Db,
  services: Services,
  { accountId, ids, kind, endedBy, now }: PurgedOrders,
): Promise<readonly Uuid[]> {
  if (ids.length === 0) return [];
  const orders = await lockEnded(tx, accountId, ids, endedBy, now);
  const done = orders.map(({ id }) => id);
  if (orders.length > 0) {
    await storeColumns(
      tx,
      accountId,
      orders
        .filter((order) => purgedOf(order)[kind] === undefined)
        .map((order) => ({ id: order.id, ...withoutPersonalData(serviceOf(services, order), order, kind, now) })),
    );
    if (kindsWith(kind).includes("texts")) await forgetWords(tx, accountId, done);
    if (kind === "numbers") await forgetRequests(tx, services, accountId, orders);
  }
  const isDone = new Set(done);
  return ids.filter((id) => !isDone.has(id));
}

/** What is kept of the requests that made the orders: fingerprints, and what a bulk remembers. */
async function forgetRequests(tx: Db, services: Services, accountId: Uuid, orders: readonly PurgeableOrder[]) {
  const groupIds = [...new Set(orders.flatMap(({ groupId }) => groupId ?? []))];
  const groups = groupIds.length > 0 ? await lockGroups(tx, accountId, groupIds) : [];
  for (const group of groups) {
    const payload = serviceOf(services, group).forgetGroup?.(group.payload) ?? {};
    await storeGroup(tx, accountId, group.id, payload);
  }
  await forgetFingerprints(tx, accountId, [
    ...orders.flatMap(({ mode, reference }) => (reference === null ? [] : [{ mode, reference }])),
    ...groups.flatMap(({ mode, payload }) => {
      const { reference } = payload as { readonly reference?: string };
      return reference === undefined ? [] : [{ mode, reference }];
    }),
  ]);
}

function serviceOf(services: Services, { service: name }: { readonly service: string }): ServiceDefinition {
  const service = services.get(name);
  invariant(service, `orders of ${name} have a definition`);
  return service;
}
