import { DAY_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Order } from "../orders/order.ts";
import type { StoredSms } from "../sms/sms.definition.ts";

const AT = new Date("2026-11-27T09:00:00.000Z");
const after = (ms: number) => new Date(AT.getTime() + ms);

/** What is stored of the shortest send there is. */
export const STORED_SMS: StoredSms = {
  from: "Afara",
  text: "Your code is 4471",
  encoding: "gsm7",
  segments: 1,
  route: "transactional",
  network_guess: "mtn",
  quiet_hours: "schedule",
};

/** A message that the network has taken, as the engine reads it. */
export const SMS_ORDER: Order = {
  accountId: newUuid(),
  id: newUuid(),
  mode: "test",
  service: "sms",
  queue: "sms:test",
  state: "sent",
  version: 2,
  priority: 0,
  leaseEpoch: 1,
  ambiguity: "retry",
  attempt: 1,
  route: "smsc-simulator",
  attemptReference: null,
  begunAt: null,
  ambiguousAt: null,
  tries: 0,
  notFoundAt: null,
  failedAt: null,
  tried: [],
  pieces: [{ status: "taken", reference: "1" }],
  priceKobo: kobo(400),
  taxKobo: kobo(28),
  recipient: "2348031234567",
  groupId: null,
  reference: null,
  metadata: null,
  payload: STORED_SMS,
  facts: null,
  sendAt: null,
  expiresAt: after(DAY_MS),
  createdAt: AT,
  updatedAt: after(11),
  endedAt: null,
  dueAt: null,
  leasedUntil: null,
};
