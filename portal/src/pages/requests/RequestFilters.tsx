import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Icon } from "../../pieces/Icon.tsx";
import { found } from "./found.ts";
import styles from "./Requests.module.css";

const STATUSES = [
  { value: "", label: "All statuses" },
  { value: "2xx", label: "2xx done" },
  { value: "4xx", label: "4xx refused" },
  { value: "429", label: "429 too many" },
  { value: "5xx", label: "5xx failed here" },
];
const CALLERS = [
  { value: "", label: "Without reads of the portal" },
  { value: "programs", label: "By programs" },
  { value: "people", label: "By people" },
];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** What is looked for, kept in the address, so that it can be sent to somebody. */
export function RequestFilters() {
  const search = useSearch({ from: "/frame/requests" });
  const navigate = useNavigate();
  const change = (to: Partial<typeof search>) =>
    void navigate({ to: "/requests", search: (old) => ({ ...old, ...to }), replace: true });
  const find = search.order ?? search.code ?? "";
  return (
    <search>
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault();
          change(found(String(new FormData(event.currentTarget).get("find")).trim()));
        }}
      >
        <TextInput
          key={find}
          name="find"
          type="search"
          aria-label="Find by request id, order id or error code"
          placeholder="Request id, order id or error code"
          defaultValue={find}
          leftSection={<Icon name="search" size={16} />}
          className={styles.find ?? ""}
        />
        <NativeSelect
          aria-label="Status"
          data={STATUSES}
          value={search.status ?? ""}
          onChange={(event) => change({ status: event.currentTarget.value })}
        />
        <NativeSelect
          aria-label="Method"
          data={[{ value: "", label: "All methods" }, ...METHODS]}
          value={search.method ?? ""}
          onChange={(event) => change({ method: event.currentTarget.value })}
        />
        <NativeSelect
          aria-label="Whose"
          data={CALLERS}
          value={search.by ?? ""}
          onChange={(event) => change({ by: event.currentTarget.value })}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </form>
    </search>
  );
}
