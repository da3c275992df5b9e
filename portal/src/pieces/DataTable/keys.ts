import { useEffect, useRef } from "react";

/** What a single key does, by its `key`. */
export type Keys = Readonly<Record<string, () => void>>;

const TYPES_INTO = "input, textarea, select, [contenteditable]";
/** A dialogue or menu has the keys to itself. */
const OVER_THE_PAGE = "[role=dialog], [role=menu], [role=listbox]";

/** Single keys that do something wherever on the page one is, but where one types. */
export function useKeys(keys: Keys, areOn: boolean): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!areOn) return;
    const pressed = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target instanceof Element && target.closest(TYPES_INTO)) return;
      const act = Object.hasOwn(latest.current, key) ? latest.current[key] : undefined;
      if (!act || document.querySelector(OVER_THE_PAGE)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [areOn]);
}
