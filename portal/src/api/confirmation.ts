import { useSyncExternalStore } from "react";

/**
 * What opens an account to others is confirmed first: requests that the gateway refuses for it wait here until the person has answered
 * the dialog, all for the same answer.
 */
interface Asking {
  readonly answered: Promise<boolean>;
  readonly answer: (isConfirmed: boolean) => void;
}

let asking: Asking | undefined;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the person confirmed it. */
export function confirmed(): Promise<boolean> {
  if (asking) return asking.answered;
  let resolve: (isConfirmed: boolean) => void;
  const answered = new Promise<boolean>((done) => {
    resolve = done;
  });
  asking = {
    answered,
    answer(isConfirmed) {
      asking = undefined;
      tell();
      resolve(isConfirmed);
    },
  };
  tell();
  return answered;
}

export const useAsking = (): Asking | undefined => useSyncExternalStore(subscribe, () => asking);
