import type { IncomingMessage } from "node:http";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { makePace, type PaceOptions } from "./pace.ts";
import { readBody } from "./read-body.ts";

export interface BodyRoomOptions {
  /** Total bytes received for all bodies in use. */
  readonly capacity: number;
  /** The same per owner. */
  readonly each: number;
  /** The time limit for a body's arrival. */
  readonly arriveMs: number;
  /** The total read rate of large bodies; beyond it, bodies wait for their turn. */
  readonly pace?: PaceOptions;
}

/** Bodies up to this size are read without pacing. */
const SMALL_BYTES = 64 * 1024;

/**
 * The memory of incoming bodies, counted by bytes received, not announced. When it is full, the oldest unfinished body of the
 * owner with the most bytes is refused, so a slow or heavy sender can't block others.
 */
export interface BodyRoom {
  open(owner: string): BodySlot;
  readonly held: number;
}

/** The reservation of one body. */
export interface BodySlot {
  /**
   * The whole body. Errors: as `readBody`; `request_timeout` if it is too slow, `overloaded` if there is no memory.
   */
  read(stream: IncomingMessage, limit: number): Promise<Buffer>;
  /** Frees the bytes. */
  end(): void;
}

type Refuse = (why: Refusal) => void;

export function makeBodyRoom({ capacity, each, arriveMs, pace: paceOptions }: BodyRoomOptions): BodyRoom {
  const pace = paceOptions && makePace(paceOptions);
  const heldBy = new Map<string, number>();
  /** Unfinished bodies by owner, oldest first. */
  const unfinished = new Map<string, Set<Refuse>>();
  let held = 0;

  const ownOf = (owner: string) => heldBy.get(owner) ?? 0;

  const add = (owner: string, bytes: number) => {
    held += bytes;
    const own = ownOf(owner) + bytes;
    if (own > 0) heldBy.set(owner, own);
    else heldBy.delete(owner);
  };

  const largestOf = (owners: Iterable<string>): string | undefined => {
    let most: string | undefined;
    for (const owner of owners) if (most === undefined || ownOf(owner) > ownOf(most)) most = owner;
    return most;
  };

  /** Refuses unfinished bodies until the rest fits. */
  const makeRoom = (owner: string) => {
    for (;;) {
      const isOwnFault = ownOf(owner) > each;
      if (!isOwnFault && held <= capacity) return;
      const from = isOwnFault ? owner : largestOf(unfinished.keys());
      const [refuse] = (from !== undefined && unfinished.get(from)) || [];
      if (!refuse) return;
      refuse(NO_ROOM);
    }
  };

  return {
    open(owner) {
      let bytes = 0;
      const end = () => {
        add(owner, -bytes);
        bytes = 0;
      };
      return {
        end,
        async read(stream, limit) {
          let leaveTurn: (() => void) | undefined;
          let isRefused = false;
          const reading = readBody(stream, limit, tooLarge(limit), (more) => {
            bytes += more;
            add(owner, more);
            makeRoom(owner);
            const isPaced = pace?.take(more) === false && bytes > SMALL_BYTES && !isRefused;
            if (!isPaced) return;
            stream.pause();
            leaveTurn = pace.wait(() => stream.resume());
          });
          const refuse: Refuse = (why) => {
            unfinished.get(owner)?.delete(refuse);
            isRefused = true;
            end();
            reading.refuse(why);
          };
          const own = unfinished.get(owner) ?? new Set();
          unfinished.set(owner, own.add(refuse));
          const timer = setTimeout(refuse, arriveMs, TOO_SLOW);
          try {
            return await reading.bytes;
          } catch (error) {
            end();
            throw error;
          } finally {
            clearTimeout(timer);
            leaveTurn?.();
            own.delete(refuse);
            if (own.size === 0 && unfinished.get(owner) === own) unfinished.delete(owner);
          }
        },
      };
    },
    get held() {
      return held;
    },
  };
}

const tooLarge = (limit: number): Refusal =>
  refusal("payload_too_large", `The body is larger than this endpoint takes: ${Math.floor(limit / 1024)} KiB.`);
const TOO_SLOW = refusal("request_timeout", "The body did not arrive whole in time. Nothing was done; send it again.");
const NO_ROOM = refusal(
  "overloaded",
  "More bodies are on their way in than there is memory for. Nothing was done; send it again in a few seconds.",
  { retryAfterSeconds: 5 },
);
