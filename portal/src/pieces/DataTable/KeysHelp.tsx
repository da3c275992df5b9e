import { Checkbox, Modal } from "@mantine/core";
import styles from "./DataTable.module.css";

interface HelpProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly areOn: boolean;
  readonly turn: (areOn: boolean) => void;
}

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["j", "k"], "the next row, the one before"],
  [["↵"], "open the row"],
  [["/"], "search"],
  [["Ctrl K", "⌘ K"], "find an order or a page from anywhere"],
  [["?"], "these keys"],
];

export const KeysHelp = ({ opened, close, areOn, turn }: HelpProps) => (
  <Modal opened={opened} onClose={close} title="Keys" closeButtonProps={{ "aria-label": "Close" }}>
    <dl className={styles.keys}>
      {KEYS.map(([keys, does]) => (
        <div key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key} className={styles.key}>
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <Checkbox
      label="Use single keys"
      description="Turn them off if you control the page by voice."
      checked={areOn}
      onChange={(event) => turn(event.currentTarget.checked)}
    />
  </Modal>
);
