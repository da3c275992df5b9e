import { Radio } from "@mantine/core";
import type { Role } from "../../api/session.ts";
import { ROLES } from "../../pieces/roles.ts";
import styles from "./Team.module.css";

interface ChoiceProps {
  readonly role: Role;
  readonly choose: (role: Role) => void;
  readonly error: string | undefined;
}

export const RoleChoice = ({ role, choose, error }: ChoiceProps) => (
  <Radio.Group label="Role" value={role} onChange={(value) => choose(value as Role)} error={error}>
    <div className={styles.roles}>
      {Object.entries(ROLES).map(([name, may]) => (
        <Radio key={name} value={name} label={name} description={may} />
      ))}
    </div>
  </Radio.Group>
);
