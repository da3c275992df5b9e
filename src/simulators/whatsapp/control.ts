import type { ChatReply } from "../vendors/chat-handset.ts";
import { isRecord } from "../vendors/json.ts";
import { ControlFault, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { queueError } from "./delivery-plan.ts";
import { numberFor, reply } from "./handset.ts";
import { arrivalsAt } from "./messages.ts";
import { changeTemplate, type Template } from "./templates.ts";
import { setWindow } from "./window.ts";

/** What the control API has for this vendor alone, under `/control/whatsapp/`. */
export function control(path: string, { method, body }: VendorRequest, world: VendorWorld): object | undefined {
  const [, msisdn, what] = /^handsets\/\+?(\d{5,15})(?:\/(replies|window))?$/.exec(path) ?? [];
  if (msisdn !== undefined && what === undefined && method === "GET") return { messages: arrivalsAt(world, msisdn) };
  if (method !== "POST") return undefined;
  const asked = fields(body);
  if (msisdn !== undefined && what === "replies") return { id: reply(world, msisdn, asked as ChatReply) };
  if (msisdn !== undefined && what === "window") {
    changeWindow(world, msisdn, asked);
    return {};
  }
  if (path === "errors") {
    steer(world, asked);
    return {};
  }
  if (path === "templates") return change(world, asked);
  return undefined;
}

function fields(body: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) throw new ControlFault("the body is an object");
  return body;
}

function changeWindow(
  world: VendorWorld,
  msisdn: string,
  { secondsAgo, number }: Readonly<Record<string, unknown>>,
): void {
  if (secondsAgo !== null && !(typeof secondsAgo === "number" && secondsAgo >= 0))
    throw new ControlFault("secondsAgo: a number of seconds, or null: never");
  const to = numberFor(world, msisdn, typeof number === "string" ? number : undefined);
  setWindow(world, to.number, msisdn, secondsAgo === null ? null : world.now - Number(secondsAgo) * 1_000);
}

function steer(
  world: VendorWorld,
  { code, how = "sync", recipient = null, times = 1 }: Readonly<Record<string, unknown>>,
): void {
  if (typeof code !== "number" || !Number.isSafeInteger(code)) throw new ControlFault("code: a number");
  if (how !== "sync" && how !== "async") throw new ControlFault("how: sync or async");
  if (typeof times !== "number" || !Number.isSafeInteger(times) || times < 1)
    throw new ControlFault("times: a whole number, 1 or more");
  if (recipient !== null && (typeof recipient !== "string" || !/^\+?\d{5,15}$/.test(recipient)))
    throw new ControlFault("recipient: a phone");
  queueError(world, { code, how, times, recipient: recipient === null ? null : recipient.replace("+", "") });
}

function change(world: VendorWorld, template: Readonly<Record<string, unknown>>): object {
  const { name, language } = template;
  if (typeof name !== "string" || typeof language !== "string") throw new ControlFault("name and language are needed");
  return changeTemplate(world, template as Pick<Template, "name" | "language"> & Partial<Template>);
}
