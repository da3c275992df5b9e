import { checkUrl, EGRESS_FAULTS } from "../egress/guard.ts";
import { DELIVERY_ERRORS, type Outcome } from "../webhooks/outcome.ts";
import { makePoster } from "../webhooks/post.ts";
import { deliveryHeaders, type SigningKey } from "../webhooks/signing.ts";
import { CannotRun } from "./report.ts";
import type { Surroundings } from "./session.ts";

export interface Forwarder {
  /** Posts an event as a webhook would. Never throws. */
  forward(eventId: string, text: string): Promise<Outcome>;
  close(): Promise<void>;
}

/** It goes wherever its user says, as `curl` does. */
const ANYWHERE = { httpAllowed: true, insideNames: true, permits: () => true } as const;

export function makeForwarder({ clock }: Surroundings, url: string, key: SigningKey): Forwarder {
  const checked = checkUrl(url, ANYWHERE);
  if (!checked.ok) throw new CannotRun(`--forward can't be posted to. ${EGRESS_FAULTS[checked.error]}`);
  const poster = makePoster({ rules: ANYWHERE, nowMs: () => clock.monotonicMs() });
  return {
    forward(eventId, text) {
      const body = Buffer.from(text);
      return poster.post({ url, body, headers: deliveryHeaders([key], eventId, clock.now(), body) });
    },
    close: () => poster.close(),
  };
}

export const outcomeText = ({ status, error, durationMs }: Outcome): string =>
  error === undefined
    ? `→ ${status}, ${durationMs} ms`
    : `→ ${status ?? error}: ${error === "http_error" ? "answer 2xx to take it" : DELIVERY_ERRORS[error]}`;
