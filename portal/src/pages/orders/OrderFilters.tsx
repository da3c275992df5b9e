import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { RefObject } from "react";
import { Icon } from "../../pieces/Icon.tsx";
import styles from "./Orders.module.css";
import { useOrderSearch } from "./search.ts";

const DAY_LABEL_PX = 48;

/** What is looked for, kept in the address, so that it can be sent to somebody. */
export function OrderFilters({ input }: { readonly input: RefObject<HTMLInputElement | null> }) {
  const { list, filters, change } = useOrderSearch();
  return (
    <search>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault();
          change({ find: String(new FormData(event.currentTarget).get("find")).trim() });
        }}
      >
        <TextInput
          key={filters.find ?? ""}
          ref={input}
          name="find"
          type="search"
          maxLength={170}
          aria-label="Find by number, id or reference"
          placeholder={list.finds}
          defaultValue={filters.find ?? ""}
          leftSection={<Icon name="search" size={16} />}
          className={styles.find ?? ""}
        />
        <NativeSelect
          aria-label="Service"
          data={[{ value: "", label: "All services" }, ...list.services]}
          value={filters.service ?? ""}
          onChange={(event) => change({ service: event.currentTarget.value })}
        />
        <NativeSelect
          aria-label="State"
          data={[{ value: "", label: "All states" }, ...list.statuses]}
          value={filters.status ?? ""}
          onChange={(event) => change({ status: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          aria-label="From this day in Lagos"
          leftSection="From"
          leftSectionWidth={DAY_LABEL_PX}
          max={filters.to}
          value={filters.from ?? ""}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          aria-label="To this day in Lagos"
          leftSection="To"
          leftSectionWidth={DAY_LABEL_PX}
          min={filters.from}
          value={filters.to ?? ""}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </form>
    </search>
  );
}
