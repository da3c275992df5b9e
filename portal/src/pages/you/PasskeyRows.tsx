import { Button } from "@mantine/core";
import type { Passkey } from "../../api/passkeys.ts";
import table from "../../pieces/Table.module.css";
import { dayAndTime, dayOf } from "../../pieces/time.ts";

interface RowsProps {
  readonly passkeys: readonly Passkey[];
  readonly remove: (passkey: Passkey) => void;
}

const usedAt = ({ last_used_at }: Passkey): string => (last_used_at ? dayAndTime(last_used_at) : "never");

export const PasskeyRows = ({ passkeys, remove }: RowsProps) => (
  <table className={table.table}>
    <thead>
      <tr>
        <th scope="col">Passkey</th>
        <th scope="col" className={table.wide}>
          Added
        </th>
        <th scope="col" className={table.wide}>
          Last used
        </th>
        <th scope="col">
          <span className={table.hidden}>Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {passkeys.map((passkey) => (
        <tr key={passkey.id}>
          <td>
            {passkey.name}
            <span className={`${table.narrow} soft number`}>used {usedAt(passkey)}</span>
          </td>
          <td className={`${table.wide} number`}>{dayOf(passkey.created_at)}</td>
          <td className={`${table.wide} number`}>{usedAt(passkey)}</td>
          <td className={table.end}>
            <Button
              variant="default"
              size="xs"
              onClick={() => remove(passkey)}
              aria-label={`Remove the passkey ${passkey.name}`}
            >
              Remove
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
