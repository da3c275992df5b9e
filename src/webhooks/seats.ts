import type { Clock } from "../kernel/clock.ts";
import { SECOND_MS } from "../kernel/duration.ts";

interface Seated {
  readonly isSuspect: boolean;
  readonly mayTakeLong: boolean;
  stop(): void;
}

/**
 * Endpoints that a node delivers to at once: those that answer soon, and beside them those whose latest attempts failed. What turns out
 * to be slow makes room for others, up to the number of all.
 */
export interface SeatLimits {
  readonly sound: number;
  readonly suspects: number;
  readonly all: number;
  /** While there is no room, whoever was seated for this long leaves: one with something under way at all times never would. */
  readonly turnMs: number;
}

const SEATS: SeatLimits = { sound: 400, suspects: 100, all: 1_000, turnMs: 30 * SECOND_MS };
/** Turns that end at once: a session that stops waits for its attempts, and nothing is sent to its endpoint meanwhile. */
const ENDED_AT_ONCE = 20;

/** Who is delivered to on this node, and for how many others there is room. */
export class Seats<Each extends Seated> {
  readonly #clock: Clock;
  readonly #limits: SeatLimits;
  /** The longest seated first, with the time since when; Infinity: its turn was ended. */
  readonly #seated = new Map<Each, number>();

  constructor(clock: Clock, limits: Partial<SeatLimits> = {}) {
    this.#clock = clock;
    this.#limits = { ...SEATS, ...limits };
  }

  take(session: Each): void {
    this.#seated.set(session, this.#clock.monotonicMs());
  }

  leave(session: Each): void {
    this.#seated.delete(session);
  }

  /** For how many more there is room. */
  get free(): { readonly sound: number; readonly suspects: number } {
    const { sound, suspects, all } = this.#limits;
    const seated = [...this.#seated.keys()];
    const soundOnes = seated.filter(({ mayTakeLong }) => !mayTakeLong).length;
    return {
      sound: Math.min(sound - soundOnes, all - seated.length - suspects),
      suspects: suspects - seated.filter(({ isSuspect }) => isSuspect).length,
    };
  }

  /** Called every second. Whoever waited longest is seated next. */
  endTurns(): void {
    const { sound, suspects } = this.free;
    const sinceMs = this.#clock.monotonicMs() - this.#limits.turnMs;
    const over = [...this.#seated].flatMap(([session, seatedMs]) => {
      const isFull = (session.isSuspect ? suspects : sound) <= 0;
      return isFull && seatedMs <= sinceMs ? session : [];
    });
    for (const session of over.slice(0, ENDED_AT_ONCE)) {
      this.#seated.set(session, Number.POSITIVE_INFINITY);
      session.stop();
    }
  }
}
