import type { IconName } from "./Icon.tsx";

export type Tone = "done" | "onway" | "waiting" | "failed" | "unknown" | "neutral";

interface State {
  readonly tone: Tone;
  readonly icon: IconName;
  /** What it means, in a sentence. */
  readonly means: string;
}

/** Every state of every service, by the API's own word for it. */
export const STATES: Readonly<Record<string, State>> = {
  scheduled: { tone: "waiting", icon: "clock", means: "Waits for its time." },
  queued: { tone: "waiting", icon: "clock", means: "Waits in the queue." },
  sending: { tone: "onway", icon: "plane", means: "Is being handed to a network." },
  processing: { tone: "onway", icon: "plane", means: "The vendor is asked until the outcome is certain." },
  sent: { tone: "onway", icon: "plane", means: "The network has it; the phone has not confirmed it yet." },
  token_pending: { tone: "waiting", icon: "clock", means: "Bought; its token is on the way." },
  unknown: { tone: "unknown", icon: "question", means: "The answer was lost. The money is held until it is certain." },
  delivered: { tone: "done", icon: "check", means: "The phone confirmed it." },
  read: { tone: "done", icon: "check", means: "It was read." },
  successful: { tone: "done", icon: "check", means: "The customer has it." },
  undelivered: { tone: "failed", icon: "cross", means: "The network tried and gave up." },
  expired: { tone: "failed", icon: "clock", means: "Its time ran out first." },
  rejected: { tone: "failed", icon: "stop", means: "The network refused it." },
  failed: { tone: "failed", icon: "cross", means: "It was certainly not done." },
  cancelled: { tone: "neutral", icon: "stop", means: "Cancelled before it left." },
  reversed: { tone: "neutral", icon: "back", means: "Taken back by the vendor; the price was refunded." },
};

const OTHER: State = { tone: "neutral", icon: "clock", means: "" };

export const stateOf = (status: string): State => STATES[status] ?? OTHER;

/** Whether there is more to come. */
export const isMoving = (status: string): boolean => ["onway", "waiting", "unknown"].includes(stateOf(status).tone);
