import { ActionIcon, Button, Menu, SegmentedControl } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { signOut } from "../api/auth.ts";
import { goTo, type Mode, usePlace } from "../api/place.ts";
import { useAccount, useRenewSession, useSession } from "../api/session.ts";
import { Icon } from "../pieces/Icon.tsx";
import { PaletteButton } from "./PaletteButton.tsx";
import styles from "./TopBar.module.css";
import { useTheme } from "./useTheme.ts";

const MODES = [
  { value: "test", label: "Test" },
  { value: "live", label: "Live" },
];

export function TopBar({ openSheet }: { readonly openSheet: () => void }) {
  const { mode } = usePlace();
  return (
    <header className={styles.top}>
      {mode === "test" && <p className={styles.test}>Test mode: nothing reaches a real phone</p>}
      <div className={styles.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={styles.sheet ?? ""}
          onClick={openSheet}
          aria-label="Open the pages"
        >
          <Icon name="menu" size={20} />
        </ActionIcon>
        <AccountMenu />
        <PaletteButton />
        <div className={styles.space} />
        <SegmentedControl
          size="xs"
          className={styles.mode ?? ""}
          aria-label="Mode"
          data={MODES}
          value={mode}
          onChange={(value) => goTo({ mode: value as Mode })}
        />
        <ThemeSwitch />
        <PersonMenu />
      </div>
    </header>
  );
}

function AccountMenu() {
  const { data } = useSession();
  const account = useAccount();
  if (!data || !account) return null;
  if (data.accounts.length === 1)
    return (
      <strong className={styles.account} title={account.name}>
        {account.name}
      </strong>
    );
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={styles.account ?? ""}
          rightSection={<Icon name="down" size={14} />}
          title={account.name}
        >
          <span className={styles.cut}>{account.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your accounts</Menu.Label>
        {data.accounts.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            onClick={() => goTo({ account: id })}
            leftSection={<span className={styles.tick}>{id === account.id && <Icon name="check" size={15} />}</span>}
            rightSection={<span className="soft">{role}</span>}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      className={styles.theme ?? ""}
      onClick={theme.change}
      aria-label={theme.name}
    >
      <Icon name={theme.icon} />
    </ActionIcon>
  );
}

function PersonMenu() {
  const { data } = useSession();
  const navigate = useNavigate();
  const renew = useRenewSession();
  const theme = useTheme();
  if (!data?.person) return null;
  const leave = async () => {
    await signOut();
    await renew();
    await navigate({ to: "/sign-in", search: {} });
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label="You">
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <span className={styles.name}>{data.person.name}</span>
          <span className={styles.email}>{data.person.email}</span>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/you" leftSection={<Icon name="person" size={16} />}>
          Your sign-in
        </Menu.Item>
        <Menu.Item leftSection={<Icon name={theme.icon} size={16} />} onClick={theme.change}>
          {theme.name}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
