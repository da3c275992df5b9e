import { useSyncExternalStore } from "react";

export type Mode = "test" | "live";

/** Which account and mode this tab looks at. Two tabs may look at two accounts. */
export interface Place {
  readonly account: string | undefined;
  readonly mode: Mode;
}

const ACCOUNT = "afara.account";
const MODE = "afara.mode";

let place: Place = {
  account: sessionStorage.getItem(ACCOUNT) ?? localStorage.getItem(ACCOUNT) ?? undefined,
  mode: sessionStorage.getItem(MODE) === "live" ? "live" : "test",
};
const listeners = new Set<() => void>();

export const placeNow = (): Place => place;

export function goTo(change: Partial<Place>): void {
  place = { ...place, ...change };
  sessionStorage.setItem(MODE, place.mode);
  if (place.account) sessionStorage.setItem(ACCOUNT, place.account);
  if (place.account) localStorage.setItem(ACCOUNT, place.account); // for the next tab
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePlace = (): Place => useSyncExternalStore(subscribe, placeNow);
