import { randomBytes } from "node:crypto";
import {
  makePrivateKey,
  publicKeyText,
  readSecretText,
  SECRET_BYTES,
  type SigningKey,
  secretText,
} from "../webhooks/signing.ts";
import type { Cli, JsonOption } from "./cli.ts";
import { type EventFacts, hearEvents, lineOf } from "./event-stream.ts";
import { makeForwarder, outcomeText } from "./forward.ts";
import { gatewayAccess } from "./gateway-access.ts";
import { CannotRun } from "./report.ts";
import type { Surroundings } from "./session.ts";

export interface ListenOptions extends JsonOption {
  readonly key?: string;
  readonly url?: string;
  readonly forward?: string;
  readonly type?: readonly string[];
  readonly after?: string;
  readonly secret?: string;
}

/** Prints events, and forwards them, until it is interrupted. What is no event goes to the standard error. */
export async function listen(
  surroundings: Surroundings,
  { line, warn }: Pick<Cli, "line" | "warn">,
  { forward: url, type: types = [], after, secret, json, ...access }: ListenOptions,
): Promise<void> {
  const gateway = await gatewayAccess(surroundings, warn, access);
  const ended = untilInterrupted();
  const key = signingKey(secret);
  const forwarder = url === undefined ? undefined : makeForwarder(surroundings, url, key);
  let isOpen = false;
  const opened = () => {
    isOpen = true;
    warn(`Connected to ${gateway.base}: ${gateway.mode} events are shown as they happen. Ctrl-C ends it.`);
    if (url !== undefined)
      warn(
        `They go to ${url}, signed with ${secret === undefined ? secretText(key.secret) : "your secret"} (or ${publicKeyText(key.privateKey)}).`,
      );
  };

  const count = { heard: 0, refused: 0 };
  let reached = after;
  /** Before the first event that was not taken. */
  let again: string | undefined;
  const tellEnd = () => {
    warn(`${count.heard} events${url === undefined ? "" : `, ${count.refused} of them not taken`}.`);
    const goOn = again ?? reached;
    if (goOn !== undefined)
      warn(`To go on from ${count.refused > 0 ? "before the first of those" : "here"}: --after ${goOn}`);
  };
  try {
    for await (const { text, before, cursor } of hearEvents(gateway, { types, after, ended, opened, tell: warn })) {
      const event = JSON.parse(text) as EventFacts;
      const outcome = await forwarder?.forward(event.id, text);
      if (ended.aborted && outcome?.error !== undefined) break;
      count.heard += 1;
      if (outcome?.error !== undefined) {
        count.refused += 1;
        again ??= before;
      }
      reached = cursor;
      line(json ? text : [lineOf(event), ...(outcome ? [outcomeText(outcome)] : [])].join("  "));
      if (json && outcome?.error !== undefined) warn(`${event.id} ${outcomeText(outcome)}`);
    }
  } finally {
    await forwarder?.close();
    if (isOpen) tellEnd();
  }
}

function signingKey(text: string | undefined): SigningKey {
  const secret = text === undefined ? randomBytes(SECRET_BYTES) : readSecretText(text);
  if (secret === undefined)
    throw new CannotRun("--secret is not a webhook's secret: whsec_ and the base64 of 24 to 64 bytes.");
  return { secret, privateKey: makePrivateKey() };
}

/** The first interruption ends it in order, a second one at once. */
function untilInterrupted(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort());
  return ended.signal;
}
