import { ActionIcon, Menu } from "@mantine/core";
import { Icon } from "../Icon.tsx";
import { type Column, DENSITIES, type Density } from "./column.ts";
import styles from "./DataTable.module.css";
import type { Layout } from "./layout.ts";

interface MenuProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly isShown: (id: string) => boolean;
  readonly layout: Layout;
  readonly change: (change: Partial<Layout>) => void;
  readonly showKeys: () => void;
}

/** Which columns, how close, and which keys. */
export const TableMenu = <Row,>({ columns, isShown, layout, change, showKeys }: MenuProps<Row>) => (
  <Menu position="bottom-end" width={230} closeOnItemClick={false}>
    <Menu.Target>
      <ActionIcon variant="default" size={36} aria-label="Columns and density">
        <Icon name="columns" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Label>Columns</Menu.Label>
      {columns.slice(1).map(({ id, name }) => (
        <Menu.CheckboxItem
          key={id}
          checked={isShown(id)}
          onChange={() => change({ shown: { ...layout.shown, [id]: !isShown(id) } })}
        >
          {name}
        </Menu.CheckboxItem>
      ))}
      <Menu.Divider />
      <Menu.Label>Rows</Menu.Label>
      <Menu.RadioGroup value={layout.density} onChange={(density) => change({ density: density as Density })}>
        {Object.keys(DENSITIES).map((density) => (
          <Menu.RadioItem key={density} value={density}>
            {density}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item closeMenuOnClick onClick={showKeys} rightSection={<kbd className={styles.key}>?</kbd>}>
        Keys
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
