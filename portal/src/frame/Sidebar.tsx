import { Link } from "@tanstack/react-router";
import { Icon, type IconName } from "../pieces/Icon.tsx";
import { Wordmark } from "../pieces/Wordmark.tsx";
import styles from "./Sidebar.module.css";

interface SidebarProps {
  /** Only a local gateway has an outbox. */
  readonly isLocal: boolean;
  readonly isSheet?: boolean;
}

export const Sidebar = ({ isLocal, isSheet = false }: SidebarProps) => (
  <nav aria-label="Pages" className={styles.nav}>
    {!isSheet && (
      <Link to="/" className={styles.mark} aria-label="Afara, home">
        <Wordmark />
      </Link>
    )}
    <ul>
      <Item to="/" icon="home" name="Home" />
      <Item to="/services" icon="services" name="Services" />
      <Item to="/messages" icon="sms" name="Messages" />
      <Item to="/purchases" icon="orders" name="Purchases" />
    </ul>
    <p className={styles.group}>Develop</p>
    <ul>
      <Item to="/keys" icon="key" name="Keys" />
      <Item to="/requests" icon="log" name="Request log" />
      <li>
        <a href="/docs" className={styles.item}>
          <Icon name="book" />
          API reference
        </a>
      </li>
      {isLocal && <Item to="/outbox" icon="mail" name="Outbox" />}
    </ul>
    <p className={styles.group}>Account</p>
    <ul>
      <Item to="/plans" icon="plans" name="Plans" />
      <Item to="/team" icon="team" name="Team" />
    </ul>
  </nav>
);

interface ItemProps {
  readonly to: "/" | "/services" | "/messages" | "/purchases" | "/keys" | "/requests" | "/plans" | "/team" | "/outbox";
  readonly icon: IconName;
  readonly name: string;
}

const Item = ({ to, icon, name }: ItemProps) => (
  <li>
    <Link to={to} activeOptions={{ exact: to === "/", includeSearch: false }} className={styles.item}>
      <Icon name={icon} />
      {name}
    </Link>
  </li>
);
