import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../pieces/Icon.tsx";
import styles from "./TopBar.module.css";

/** Loaded when it is first wanted. */
const Palette = lazy(async () => ({ default: (await import("./Palette.tsx")).Palette }));

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function PaletteButton() {
  const [isOpen, { open, close }] = useDisclosure();
  const [isWanted, setWanted] = useState(false);
  const show = () => {
    setWanted(true);
    open();
  };
  useHotkeys([["mod+K", show]], []);
  return (
    <>
      <button type="button" className={styles.find} onClick={show} aria-keyshortcuts={isApple ? "Meta+K" : "Control+K"}>
        <Icon name="search" size={16} />
        <span className={styles.findText}>Number, id, reference …</span>
        <kbd className={styles.findKey}>{isApple ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      {isWanted && (
        <Suspense>
          <Palette opened={isOpen} close={close} />
        </Suspense>
      )}
    </>
  );
}
