import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Icon } from "../../pieces/Icon.tsx";
import { STATES } from "../../pieces/states.ts";
import styles from "./Orders.module.css";
import { SERVICES } from "./order.ts";

const PURCHASE_NOTE = "token_pending"; // a note of an order, not a state to look for
const STATUSES = [
  { value: "", label: "All states" },
  ...Object.keys(STATES)
    .filter((status) => status !== PURCHASE_NOTE)
    .map((status) => ({ value: status, label: status })),
];
const ORDER_ID = /^(msg|pur)_[a-z0-9]{26}$/;

/** What is looked for, kept in the address, so that it can be sent to somebody. */
export function OrderFilters() {
  const search = useSearch({ from: "/frame/orders" });
  const navigate = useNavigate();
  const change = (to: Partial<typeof search>) =>
    void navigate({ to: "/orders", search: (old) => ({ ...old, ...to }), replace: true });
  return (
    <search>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault();
          const find = String(new FormData(event.currentTarget).get("find")).trim();
          change(ORDER_ID.test(find) ? { order: find } : { find });
        }}
      >
        <TextInput
          key={search.find ?? ""}
          name="find"
          type="search"
          aria-label="Find by number, id or reference"
          placeholder="Number, id or reference"
          defaultValue={search.find ?? ""}
          leftSection={<Icon name="search" size={16} />}
          className={styles.find ?? ""}
        />
        <NativeSelect
          aria-label="Service"
          data={SERVICES}
          value={search.service ?? ""}
          onChange={(event) => change({ service: event.currentTarget.value })}
        />
        <NativeSelect
          aria-label="State"
          data={STATUSES}
          value={search.status ?? ""}
          onChange={(event) => change({ status: event.currentTarget.value })}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </form>
    </search>
  );
}
