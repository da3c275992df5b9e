import type { Gateway } from "../../src/testing/gateway.ts";

/** One message of a load. Its reference names it whatever the caller was told. */
export interface Sending {
  readonly reference: string;
  readonly ambiguity: "retry" | "fail";
  /** Every answer in order; null where the connection broke before one came. */
  readonly told: readonly Told[];
}

export type Told = { readonly status: number; readonly code?: string; readonly id?: string } | null;

export interface LoadOptions {
  /** Whom to send to; asked before every try, so that a restarted node can be named. */
  readonly node: (index: number) => Pick<Gateway, "call">;
  readonly messages: number;
  /** Callers at once. */
  readonly callers: number;
  /** Repeat with the same reference until it is accepted, as a good client does. Without: each is tried once. */
  readonly untilAccepted?: boolean;
  /** Callers stop before their next message once this is set. */
  readonly isOver?: () => boolean;
  /** Gives up what is under way: a test that has failed must not go on sending. */
  readonly signal: AbortSignal;
  /** Told of every 202. */
  readonly onAccepted?: (accepted: number) => void;
}

let runs = 0;

/** Sends half the messages with `retry` and half with `fail`, each to a number of its own. */
export async function sendMany(options: LoadOptions): Promise<readonly Sending[]> {
  const { node, messages, callers, untilAccepted = true, isOver = () => false, signal, onAccepted } = options;
  runs += 1;
  const run = runs;
  const sendings: Sending[] = [];
  let accepted = 0;
  let next = 0;

  const tryOnce = async (index: number, reference: string, ambiguity: string): Promise<Told> => {
    try {
      const { status, body } = await node(index).call<{ id?: string; code?: string }>("POST", "/sms/send", {
        to: `+234803${String(1_000_000 + run * 100_000 + index)}`,
        message: "A crash is no excuse",
        reference,
        on_ambiguous: ambiguity,
      });
      return { status, ...(body?.code && { code: body.code }), ...(body?.id && { id: body.id }) };
    } catch {
      return null;
    }
  };

  const caller = async () => {
    while (next < messages && !isOver() && !signal.aborted) {
      const index = next++;
      const reference = `load ${run} ${index}`;
      const ambiguity = index % 2 === 0 ? "retry" : "fail";
      const told: Told[] = [];
      sendings.push({ reference, ambiguity, told });
      while (!signal.aborted) {
        const answer = await tryOnce(index, reference, ambiguity);
        told.push(answer);
        if (answer?.status === 202) onAccepted?.(++accepted);
        if (answer?.status === 202) break;
        if (!untilAccepted) {
          // Refusals are quick: without a pause the whole load would be spent on a server that is away.
          await new Promise((resolve) => setTimeout(resolve, 50));
          break;
        }
        if (answer && answer.status < 500 && answer.status !== 409)
          throw new Error(`refused: ${JSON.stringify(answer)}`);
        // What broke needs a moment: without this the callers would take the machine that the restart needs.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return sendings;
}

export const wasAccepted = (sending: Sending): boolean => sending.told.some((told) => told?.status === 202);
