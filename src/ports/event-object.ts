import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

/** An event, to the part that owns what it is about. */
export interface Told {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** What it is about: a group of orders, an inbound message, a top-up; a wallet has the id of its account. */
  readonly subjectId: Uuid;
  readonly at: Date;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/**
 * What these events of one account and mode are about, as subscribers see it, by the ids of the events. What is no longer kept is
 * left out.
 */
export type ReadEventObjects = (events: readonly Told[]) => Promise<ReadonlyMap<Uuid, object>>;

/** Readers by the type of the event. Events of orders need none: see `Service.eventObjects`. */
export type EventReaders = Readonly<Record<string, ReadEventObjects>>;

/** Objects by event, from the view of each subject; undefined when it is no longer kept. */
export const objectsOf = (
  events: readonly Told[],
  viewOf: (subjectId: Uuid) => object | undefined,
): ReadonlyMap<Uuid, object> =>
  new Map(
    events.flatMap(({ id, subjectId }): [Uuid, object][] => {
      const view = viewOf(subjectId);
      return view ? [[id, view]] : [];
    }),
  );
