/** Gives back what was taken; a second call does nothing. */
export type Leave = () => void;

export interface FairRoomOptions {
  /** All that may be taken at once. */
  readonly capacity: number;
  /** What one owner may have of it at once. */
  readonly each: number;
  /** Most that wait, over all and of one owner. */
  readonly waitingMax: number;
  readonly waitingEach: number;
  /** Longest wait. */
  readonly waitMs: number;
}

/** Room that several owners share in turn, so that none of them keeps the others out. */
export interface FairRoom {
  /**
   * Resolves once there is room, undefined when that took too long, too many wait already, or `gone` is aborted.
   * More than one owner may have is taken as all that it may have.
   */
  enter(owner: string, amount: number, gone?: AbortSignal): Promise<Leave | undefined>;
  readonly taken: number;
  readonly waiting: number;
}

interface Waiting {
  readonly amount: number;
  admit(leave: Leave | undefined): void;
}

export function makeFairRoom(options: FairRoomOptions): FairRoom {
  const { capacity, each, waitingMax, waitingEach, waitMs } = options;
  const held = new Map<string, number>();
  /** Owners in the order of their turn: a Map keeps the order of insertion. */
  const queues = new Map<string, Set<Waiting>>();
  let taken = 0;
  let waiting = 0;

  const hasOwnRoom = (owner: string, amount: number) => (held.get(owner) ?? 0) + amount <= each;

  const take = (owner: string, amount: number): Leave => {
    taken += amount;
    held.set(owner, (held.get(owner) ?? 0) + amount);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      taken -= amount;
      const rest = held.get(owner)! - amount;
      if (rest === 0) held.delete(owner);
      else held.set(owner, rest);
      admitNext();
    };
  };

  /** Whoever is first among those with room of their own; nobody overtakes it because it asks for more. */
  const admitNext = () => {
    for (const [owner, queue] of queues) {
      const [first] = queue as Set<Waiting> & [Waiting];
      if (!first || !hasOwnRoom(owner, first.amount)) continue;
      if (taken + first.amount > capacity) return;
      queues.delete(owner);
      queue.delete(first);
      if (queue.size > 0) queues.set(owner, queue); // to the back: the next owner's turn
      first.admit(take(owner, first.amount));
      return admitNext();
    }
  };

  return {
    enter(owner, wanted, gone) {
      const amount = Math.min(wanted, each, capacity);
      if (gone?.aborted) return Promise.resolve(undefined);
      if (waiting === 0 && hasOwnRoom(owner, amount) && taken + amount <= capacity)
        return Promise.resolve(take(owner, amount));
      const queue = queues.get(owner) ?? new Set<Waiting>();
      if (waiting >= waitingMax || queue.size >= waitingEach) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const giveUp = () => {
          queue.delete(entry);
          if (queue.size === 0 && queues.get(owner) === queue) queues.delete(owner);
          entry.admit(undefined);
          admitNext(); // the one behind it may ask for less
        };
        const timer = setTimeout(giveUp, waitMs);
        const entry: Waiting = {
          amount,
          admit(leave) {
            waiting -= 1;
            clearTimeout(timer);
            gone?.removeEventListener("abort", giveUp);
            resolve(leave);
          },
        };
        gone?.addEventListener("abort", giveUp, { once: true });
        waiting += 1;
        queue.add(entry);
        queues.set(owner, queue);
        admitNext();
      });
    },
    get taken() {
      return taken;
    },
    get waiting() {
      return waiting;
    },
  };
}
