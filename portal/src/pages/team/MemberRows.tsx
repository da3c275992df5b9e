import { ActionIcon, Menu } from "@mantine/core";
import { useSession } from "../../api/session.ts";
import type { Member } from "../../api/team.ts";
import { Icon } from "../../pieces/Icon.tsx";
import table from "../../pieces/Table.module.css";
import { TableHead } from "../../pieces/TableHead.tsx";
import { dayOf } from "../../pieces/time.ts";
import type { Change } from "./change.ts";
import styles from "./Team.module.css";

const HEADS = [
  { name: "Member" },
  { name: "Role" },
  { name: "Since", isWide: true },
  { name: "Actions", isHidden: true },
];

interface RowsProps {
  readonly members: readonly Member[];
  readonly mayManage: boolean;
  readonly change: (change: Change) => void;
}

export function MemberRows({ members, mayManage, change }: RowsProps) {
  const own = useSession().data?.person?.id;
  return (
    <table className={table.table}>
      <TableHead heads={HEADS} />
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <td className={styles.who}>
              <strong>{member.name}</strong>
              {member.id === own && <span className="soft"> (you)</span>}
              <p className="soft">{member.email}</p>
            </td>
            <td>{member.role}</td>
            <td className={`${table.wide} number`}>{dayOf(member.created_at)}</td>
            <td className={table.end}>
              {(mayManage || member.id === own) && (
                <Actions member={member} isOwn={member.id === own} mayManage={mayManage} change={change} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ActionsProps extends Omit<RowsProps, "members"> {
  readonly member: Member;
  readonly isOwn: boolean;
}

const Actions = ({ member, isOwn, mayManage, change }: ActionsProps) => (
  <Menu position="bottom-end" width={190}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={`Actions on ${member.name}`}>
        <Icon name="down" size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {mayManage && (
        <Menu.Item leftSection={<Icon name="roll" size={16} />} onClick={() => change({ member, how: "role" })}>
          Change the role
        </Menu.Item>
      )}
      {isOwn ? (
        <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={() => change({ member, how: "leave" })}>
          Leave the account
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<Icon name="bin" size={16} />} onClick={() => change({ member, how: "remove" })}>
          Remove
        </Menu.Item>
      )}
    </Menu.Dropdown>
  </Menu>
);
