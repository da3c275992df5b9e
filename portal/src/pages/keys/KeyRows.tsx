import { ActionIcon, Menu } from "@mantine/core";
import type { Key } from "../../api/keys.ts";
import { Icon } from "../../pieces/Icon.tsx";
import { Pill } from "../../pieces/StatusPill.tsx";
import styles from "../../pieces/Table.module.css";
import { TableHead } from "../../pieces/TableHead.tsx";
import { dayAndTime, dayOf } from "../../pieces/time.ts";
import type { Ending } from "./ending.ts";

const HEADS = [
  { name: "Key" },
  { name: "Mode" },
  { name: "May", isWide: true },
  { name: "Created", isWide: true },
  { name: "Last used", isWide: true },
  { name: "Actions", isHidden: true },
];

interface RowsProps {
  readonly keys: readonly Key[];
  readonly mayEnd: boolean;
  readonly end: (ending: Ending) => void;
}

export const KeyRows = ({ keys, mayEnd, end }: RowsProps) => (
  <table className={styles.table}>
    <TableHead heads={HEADS} />
    <tbody>
      {keys.map((key) => (
        <tr key={key.id} data-ended={key.revoked_at !== null || undefined}>
          <td>
            <span className="mono">
              {key.starts}…{key.ends}
            </span>
            {key.made_by && (
              <p className="soft">
                made by {key.made_by.name}
                {!key.made_by.member && " (no longer a member)"}
              </p>
            )}
          </td>
          <td>
            <KeyState of={key} />
          </td>
          <td className={styles.wide}>{key.scopes.join(", ")}</td>
          <td className={`${styles.wide} number`}>{dayOf(key.created_at)}</td>
          <td className={`${styles.wide} number`}>{key.last_used_at ? dayAndTime(key.last_used_at) : "never"}</td>
          <td className={styles.end}>
            {mayEnd && key.revoked_at === null && (
              <Menu position="bottom-end" width={180}>
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={`Actions on ${key.starts}…${key.ends}`}>
                    <Icon name="down" size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item leftSection={<Icon name="roll" size={16} />} onClick={() => end({ key, how: "roll" })}>
                    Roll
                  </Menu.Item>
                  <Menu.Item leftSection={<Icon name="bin" size={16} />} onClick={() => end({ key, how: "revoke" })}>
                    Revoke
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function KeyState({ of: { mode, revoked_at, expires_at } }: { readonly of: Key }) {
  if (revoked_at)
    return (
      <Pill tone="neutral" icon="stop">
        revoked
      </Pill>
    );
  return (
    <>
      <Pill tone={mode === "test" ? "waiting" : "done"} icon="key">
        {mode}
      </Pill>
      {expires_at && <p className="soft number">until {dayAndTime(expires_at)}</p>}
    </>
  );
}
