import type { Uuid } from "../kernel/ids.ts";
import type { EventReaders } from "../ports/event-object.ts";
import type { Job } from "../ports/job.ts";
import type { Facts, InboundMessage } from "../ports/provider.ts";
import type { Order } from "./order.ts";
import type { OrderViews } from "./order-views.ts";
import type { PreSendCheck, ServiceDefinition } from "./service-definition.ts";

/**
 * A service as the engine knows it: its rules, which are pure (`definition`), and what it does at run time with its own orders.
 * The engine looks each of these up by the order's service. Absent: the service does nothing there.
 */
export interface Service {
  readonly definition: ServiceDefinition;
  /** `fieldCodes`: rules of one field that only this service has. They never are the code of a whole refusal. */
  readonly refusals?: { readonly fieldCodes: readonly string[] };
  /** A service without them shows no orders to subscribers: those of the tests. */
  readonly views?: OrderViews;
  readonly preSendCheck?: PreSendCheck;
  readonly unseal?: Unseal;
  readonly redact?: Redact;
  /** An order changed on this node, right after the commit. Returns at once. */
  readonly onChanged?: (order: Order) => void;
  readonly inbound?: Inbound;
  /** A provider reports that its price list changed. */
  readonly plansChanged?: (provider: string) => void;
  readonly jobs?: readonly Job[];
  readonly eventObjects?: EventObjects;
  /** What its events are about that are of no order (an inbound message, a bulk). */
  readonly eventReaders?: EventReaders;
}

/**
 * Orders of one account as subscribers see them in events, in the same order. Each is given in the state that its event announced.
 * `mayVend`: whether secrets (tokens) may be shown in full.
 */
export type EventObjects = (orders: readonly Order[], mayVend: boolean) => Promise<readonly object[]>;

/** A service whose orders subscribers see. */
export type ShownService = Service & Required<Pick<Service, "views">>;

/** The payload as the vendor needs it, with its secrets decrypted. Throws when they can't be. */
export type Unseal = (order: Pick<Order, "id" | "service" | "payload" | "facts">) => unknown;

/** A vendor's facts as they are stored: secrets among them are encrypted. */
export type Redact = (orderId: Uuid, facts: Facts) => Facts;

/** Records a message from a handset; resolves after the commit. Undefined: this provider's messages are another service's. */
export type Inbound = (provider: string, message: InboundMessage) => Promise<void> | undefined;

/** The run-time part of the service of an order. */
export type HooksOf = (order: Pick<Order, "service">) => Omit<Service, "definition">;
