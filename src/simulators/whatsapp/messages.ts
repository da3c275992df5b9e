import { randomBytes } from "node:crypto";
import type { ChatArrival } from "../vendors/chat-handset.ts";
import type { VendorWorld } from "../vendors/world.ts";

/** A message that the network took. */
export interface SentMessage extends Omit<ChatArrival, "receivedAt" | "read"> {
  readonly to: string;
  /** ms since 1970; null: never. */
  readonly deliveredAt: number | null;
  readonly readAt: number | null;
}

/** Opaque, and with the signs that base64 has: whoever reads a part of it, or puts it unescaped into a URL, fails. */
export const newMessageId = (): string => `wamid.HBgN${randomBytes(24).toString("base64")}==`;

export function keepMessage(world: VendorWorld, message: SentMessage): void {
  const serial = Number(world.recall("messages") ?? 0) + 1;
  world.keep("messages", serial);
  world.keep(`message:${message.to}:${String(serial).padStart(12, "0")}`, message);
}

const messagesOf = (world: VendorWorld, msisdn: string): readonly SentMessage[] =>
  world.recallUnder(`message:${msisdn}:`) as readonly SentMessage[];

/** What is on the handset by now, the oldest first. */
export const arrivalsAt = (world: VendorWorld, msisdn: string): readonly ChatArrival[] =>
  messagesOf(world, msisdn).flatMap(({ to: _to, deliveredAt, readAt, ...message }) =>
    deliveredAt !== null && deliveredAt <= world.now
      ? [{ ...message, receivedAt: new Date(deliveredAt).toISOString(), read: readAt !== null && readAt <= world.now }]
      : [],
  );
