import { ActionIcon, Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { listViews, type OrderFilters, removeView, saveView, type View } from "../../api/orders.ts";
import { problemOf } from "../../api/problem.ts";
import { useScope } from "../../api/session.ts";
import { Icon } from "../../pieces/Icon.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";
import styles from "./Orders.module.css";
import { useOrderSearch } from "./search.ts";

const NAMES = ["service", "status", "from", "to"] as const;

const isSame = (one: OrderFilters, other: OrderFilters): boolean =>
  NAMES.every((name) => (one[name] ?? "") === (other[name] ?? ""));

/** Filters that a person has given a name, over the table. */
export function Views() {
  const { list, filters } = useOrderSearch();
  const [account] = useScope();
  const queries = useQueryClient();
  const queryKey = [account, "views"];
  const views = useQuery({ queryKey, queryFn: listViews, staleTime: 300_000 });
  const [isNaming, setNaming] = useState(false);
  const renew = () => queries.invalidateQueries({ queryKey });
  const removing = useMutation({
    mutationFn: ({ id }: View) => removeView(id),
    onSettled: renew,
    onSuccess: (_done, { name }) => toast(`${name} is removed`),
    onError: (error) => toast(problemOf(error).message),
  });
  const own = views.data?.data.filter((view) => view.filters.kind === list.kind) ?? [];
  const { find, kind: _kind, ...kept } = filters;
  const isNew = Object.keys(kept).length > 0 && !own.some((view) => isSame(view.filters, kept));
  return (
    <nav aria-label="Views" className={styles.views}>
      <Tab list={list.path} name="All" filters={{}} isHere={!find && Object.keys(kept).length === 0} />
      {own.map((view) => {
        const isHere = isSame(view.filters, kept);
        return (
          <span key={view.id} className={styles.view}>
            <Tab list={list.path} name={view.name} filters={view.filters} isHere={isHere && !find} />
            {isHere && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Remove the view ${view.name}`}
                loading={removing.isPending}
                onClick={() => removing.mutate(view)}
              >
                <Icon name="cross" size={13} />
              </ActionIcon>
            )}
          </span>
        );
      })}
      {isNew && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<Icon name="bookmark" size={15} />}
          onClick={() => setNaming(true)}
        >
          Save this view
        </Button>
      )}
      <NewView
        opened={isNaming}
        close={() => setNaming(false)}
        filters={{ ...(list.kind && { kind: list.kind }), ...kept }}
        saved={renew}
      />
    </nav>
  );
}

interface TabProps {
  readonly list: "/orders" | "/messages" | "/purchases";
  readonly name: string;
  readonly filters: View["filters"];
  readonly isHere: boolean;
}

const Tab = ({ list, name, filters: { kind: _kind, ...search }, isHere }: TabProps) => (
  <Link
    to={list}
    search={search}
    className={styles.tab}
    activeProps={{ "aria-current": undefined }}
    aria-current={isHere ? "page" : undefined}
    data-here={isHere || undefined}
  >
    {name}
  </Link>
);

interface NewProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly filters: View["filters"];
  readonly saved: () => Promise<void>;
}

function NewView({ opened, close, filters, saved }: NewProps) {
  const saving = useMutation({
    mutationFn: (name: string) => saveView(name, filters),
    onSuccess: async () => {
      await saved();
      close();
    },
  });
  const error = saving.error ? problemOf(saving.error) : undefined;
  return (
    <Modal opened={opened} onClose={close} title="Save this view" closeButtonProps={{ "aria-label": "Close" }}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(String(new FormData(event.currentTarget).get("name")));
        }}
      >
        <TextInput
          name="name"
          label="Name"
          description="Service, state and days are kept for you, not what you searched for. The same name replaces a view."
          required
          withAsterisk={false}
          maxLength={60}
          data-autofocus
          error={error?.of("/name")}
        />
        <FormProblem error={saving.error} fields={["/name"]} />
        <div className="row">
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}
