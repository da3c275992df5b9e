import { randomUUID } from "node:crypto";
import { TRIGGERS } from "../app/triggers.ts";
import { nearest } from "../kernel/spelling.ts";
import type { Made, TestApi } from "../ports/trigger.ts";
import type { Cli, JsonOption } from "./cli.ts";
import { type EventFacts, hearEvents, lineOf } from "./event-stream.ts";
import { type GatewayAccess, gatewayAccess } from "./gateway-access.ts";
import { CannotRun, type Report, tableText } from "./report.ts";
import type { Surroundings } from "./session.ts";

export interface TriggerOptions extends JsonOption {
  readonly key?: string;
  readonly url?: string;
}

/** The slowest event, a chat message that expires, comes after 20 seconds. */
const WAIT_MS = 60_000;

/** A purchase is not to be waited for: its event is. */
const AT_ONCE = { prefer: "respond-async" };

/** Which events there are, and which of them test mode can't make. */
export function triggerList(): Report {
  const all = Object.entries(TRIGGERS).map(([type, trigger]) => ({
    type,
    ...(typeof trigger !== "function" && { never: trigger.never }),
  }));
  const rows = all.map(({ type, never = "" }) => [type, never]);
  return { ok: true, json: { types: all }, text: tableText(["TYPE", "WHY NOT IN TEST MODE"], rows) };
}

/** Makes one event of the type, and resolves with it once it has come. */
export async function trigger(
  surroundings: Surroundings,
  { warn }: Pick<Cli, "warn">,
  type: string,
  options: TriggerOptions,
): Promise<Report> {
  const make = TRIGGERS[type];
  if (make === undefined) throw new CannotRun(unknownType(type));
  if (typeof make !== "function") throw new CannotRun(`Test mode can't make ${type}. ${make.never}`);
  const access = await gatewayAccess(surroundings, warn, options);
  if (access.mode === "live") throw new CannotRun("A live key costs money and reaches people: give a test key.");

  const refused = new AbortController();
  const ended = AbortSignal.any([AbortSignal.timeout(WAIT_MS), refused.signal]);
  let made: Promise<Made> | undefined;
  const opened = () => {
    made ??= make(apiOf(access, surroundings));
    made.catch(() => refused.abort()); // told below
  };
  for await (const { text } of hearEvents(access, { types: [type], ended, opened, tell: warn })) {
    const { id } = await made!;
    const event = JSON.parse(text) as EventFacts;
    if (id === undefined || event.data.object?.id === id) return { ok: true, json: event, text: lineOf(event) };
  }
  await made;
  throw new CannotRun(`${type} did not come within ${WAIT_MS / 1_000} s. ./afara orders stuck may say why.`);
}

function unknownType(type: string): string {
  const [close] = nearest(type, Object.keys(TRIGGERS));
  const hint = close === undefined ? "" : ` Did you mean ${close}?`;
  return `There is no event ${type}.${hint} ./afara trigger lists them.`;
}

function apiOf({ base, key }: GatewayAccess, { clock }: Surroundings): TestApi {
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = {
      "x-api-key": key,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
      ...AT_ONCE,
    };
    const answer = await fetch(base + path, { headers, ...init });
    const body = (await answer.json()) as { purchase?: Made; code?: string; detail?: string };
    if (answer.ok) return body;
    // The purchase was made, and failed: that is the event.
    if (body.purchase !== undefined) return body.purchase;
    throw new CannotRun(`${path} was refused with ${body.code ?? answer.status}: ${body.detail ?? "no reason given"}`);
  };
  return {
    get: <Body>(path: string) => call(path) as Promise<Body>,
    post: (path, body = {}) => call(path, { method: "POST", body: JSON.stringify(body) }) as Promise<Made>,
    now: () => clock.now(),
  };
}
