import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Msisdn } from "../kernel/msisdn.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import { CallerGone } from "../kernel/slices.ts";
import type { Consumed, Counters, Limit } from "./memory-counters.ts";

/** Most messages to one number in an hour on the clock. */
export interface DestinationCap {
  readonly perAccount: number;
  /** From all accounts together. */
  readonly overall: number;
}

/** A mode without an entry has no cap. */
export type CapsByMode = { readonly [M in Mode]?: DestinationCap | undefined };

export const DEFAULT_CAPS: CapsByMode = { live: { perAccount: 30, overall: 60 } };

/**
 * A cap for each destination against pumping: bots that make a sign-up form send codes to numbers that earn by receiving
 * them. A message counts in the hour in which it is accepted.
 */
export interface DestinationCaps {
  /** Counts one message to each number, as far as it has room. */
  count(sender: Sender, numbers: readonly Msisdn[]): Promise<CountedDestinations>;
}

export interface Sender {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

export interface CountedDestinations {
  /** By index of the number: those that have had too many. */
  readonly refused: ReadonlyMap<number, Refusal<"destination_rate_limited">>;
  /** Undoes the count of messages that were not accepted. */
  giveBack(indexes: Iterable<number>): Promise<void>;
  giveAllBack(): Promise<void>;
}

/**
 * Counts one message to each number and sends what is within the caps; the count of what was not sent is given back.
 * `send` gets the numbers over a cap, by index; `unsent` says which numbers of a partly accepted request were not sent to.
 */
export async function sendWithinCaps<Sent extends { readonly replayed: boolean }>(
  caps: DestinationCaps,
  sender: Sender,
  numbers: readonly Msisdn[],
  send: (refused: CountedDestinations["refused"]) => Promise<Result<Sent>>,
  unsent?: (sent: Sent) => Iterable<number>,
): Promise<Result<Sent>> {
  const counted = await caps.count(sender, numbers);
  try {
    const sent = await send(counted.refused);
    if (!mayBeNew(sent)) await counted.giveAllBack();
    else if (sent.ok && unsent) await counted.giveBack(unsent(sent.value));
    return sent;
  } catch (error) {
    if (error instanceof CallerGone) await counted.giveAllBack();
    throw error;
  }
}

/** Whether a request made something, or may have: only then it counts for its destinations. */
const mayBeNew = (sent: Result<{ readonly replayed: boolean }>): boolean =>
  sent.ok ? !sent.value.replayed : sent.error.code === "acceptance_unknown";

const WINDOW_SECONDS = 3_600;

const NOTHING_COUNTED: CountedDestinations = {
  refused: new Map(),
  giveBack: async () => undefined,
  giveAllBack: async () => undefined,
};

export function makeDestinationCaps(counters: Counters, caps: CapsByMode): DestinationCaps {
  return {
    async count({ accountId, mode }, numbers) {
      const cap = caps[mode];
      if (!cap) return NOTHING_COUNTED;
      const limitsOf = (number: Msisdn): readonly Limit[] => [
        { name: `${accountId}:${mode} to ${number}`, limit: cap.perAccount, windowSeconds: WINDOW_SECONDS },
        { name: `${mode} to ${number}`, limit: cap.overall, windowSeconds: WINDOW_SECONDS },
      ];
      const consumed = await counters.consume(numbers.map((number) => ({ limits: limitsOf(number), points: 1 })));
      const refused = consumed.flatMap((one, index) => (one.allowed ? [] : [[index, refusalFor(one)] as const]));
      return {
        refused: new Map(refused),
        giveBack: async (indexes) => counters.giveBack([...indexes].map((index) => consumed[index]!)),
        giveAllBack: async () => counters.giveBack(consumed),
      };
    },
  };
}

/** Both windows end at the same time, so the wait is right whichever was full. Other accounts' messages are not disclosed. */
function refusalFor({ remaining: [own] }: Consumed): Refusal<"destination_rate_limited"> {
  const { limit, hadRoom, resetSeconds } = own!;
  const why = hadRoom
    ? "This number has had too many messages within this hour."
    : `This number takes at most ${limit} messages an hour from your account.`;
  return refusal("destination_rate_limited", `${why} Wait ${resetSeconds} s and send it again.`, {
    retryAfterSeconds: resetSeconds,
    members: {
      ...(hadRoom ? {} : { limit }),
      window_seconds: WINDOW_SECONDS,
      retry_after_seconds: resetSeconds,
    },
  });
}
