import { Modal, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { findOrders } from "../api/orders.ts";
import { goTo, usePlace } from "../api/place.ts";
import { useScope, useSession } from "../api/session.ts";
import { kindOf, targetOf } from "../pages/orders/order.ts";
import { isRequestId } from "../pages/requests/found.ts";
import { Icon, type IconName } from "../pieces/Icon.tsx";
import { masked } from "../pieces/Phone.tsx";
import { StatusPill } from "../pieces/StatusPill.tsx";
import styles from "./Palette.module.css";
import { namedBy, OUTBOX, PAGES } from "./pages.ts";
import { useTheme } from "./useTheme.ts";

const TYPED_MS = 150;
const FOUND = 6;
/** Shorter texts name no order. */
const FIND_CHARACTERS_MIN = 4;

/** It is asked for while an order is open, too. Dialogs and drawers are at 200. */
const OVER_DRAWERS = 250;

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

interface Choice {
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  readonly also?: string;
  /** The state of an order. */
  readonly status?: string;
  readonly act: () => void;
}

/** Finds an order or a page from anywhere: type, choose with the arrows, Enter. */
export function Palette({ opened, close }: { readonly opened: boolean; readonly close: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { choices, none } = useChoices(text.trim(), opened);
  const list = useId();
  const box = useRef<HTMLDivElement>(null);
  const chosen = Math.min(at, choices.length - 1);
  useEffect(() => {
    box.current?.querySelector(`[data-at="${chosen}"]`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const leave = () => {
    close();
    setText("");
    setAt(0);
  };
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    leave();
    choice.act();
  };
  const pressed = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (choices.length === 0 || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step === undefined) choose(choices[chosen]);
    else setAt((chosen + step + choices.length) % choices.length);
  };
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title="Find an order or a page"
      closeButtonProps={{ "aria-label": "Close" }}
      zIndex={OVER_DRAWERS}
    >
      <TextInput
        variant="unstyled"
        size="md"
        className={styles.input ?? ""}
        leftSection={<Icon name="search" />}
        placeholder="Number, id, reference or page"
        aria-label="Find an order or a page"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={choices[chosen] ? `${list}-${chosen}` : undefined}
        data-autofocus
        maxLength={170}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={pressed}
      />
      <div id={list} role="listbox" aria-label="Found" ref={box} className={styles.list}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are pressed in the field, which keeps the focus
          <div
            key={choice.id}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            data-at={index}
            className={styles.choice}
            onClick={() => choose(choice)}
          >
            <Icon name={choice.icon} />
            <span className={styles.name}>{choice.name}</span>
            {choice.status && <StatusPill status={choice.status} />}
          </div>
        ))}
      </div>
      <p role="status" className={styles.none}>
        {choices.length > 0 ? "" : none}
      </p>
    </Modal>
  );
}

/**
 * A request with this id, pages and acts whose name has the text, then orders with this number, id or reference: these come later,
 * and would otherwise take the place of what somebody is about to choose. `none`: why there is no choice.
 */
function useChoices(text: string, isOpen: boolean): { readonly choices: readonly Choice[]; readonly none: string } {
  const navigate = useNavigate();
  const { mode } = usePlace();
  const scope = useScope();
  const session = useSession();
  const theme = useTheme();
  const [typed] = useDebouncedValue(text, TYPED_MS);
  const isLong = isOpen && text.length >= FIND_CHARACTERS_MIN;
  const found = useQuery({
    queryKey: [...scope, "palette", typed],
    queryFn: () => findOrders({ find: typed }, FOUND),
    enabled: isLong && typed.length >= FIND_CHARACTERS_MIN,
  });
  const isAsking = isLong && (typed !== text || found.isPending);
  const orders = isLong && !isAsking ? (found.data?.data ?? []) : [];
  const other = mode === "test" ? "live" : "test";
  const acts: readonly Choice[] = [
    ...[...PAGES, ...(session.data?.gateway.local ? [OUTBOX] : [])].map((page) => ({
      ...page,
      id: page.to,
      act: () => void navigate({ to: page.to }),
    })),
    { id: "docs", icon: "book", name: "API reference", also: "docs guides", act: () => location.assign("/docs") },
    { id: "mode", icon: "roll", name: `Switch to ${other} mode`, act: () => goTo({ mode: other }) },
    { id: "theme", icon: theme.icon, name: theme.name, act: theme.change },
  ];
  const choices = [
    ...(isRequestId(text)
      ? [
          {
            id: "request",
            icon: "log" as const,
            name: `The request ${text}`,
            act: () => void navigate({ to: "/requests", search: { request: text.toLowerCase() } }),
          },
        ]
      : []),
    ...namedBy(text, acts),
    ...orders.map((order) => ({
      id: order.id,
      icon: "orders" as const,
      name: `${kindOf(order)} to ${masked(targetOf(order))}`,
      status: order.status,
      act: () => void navigate({ to: "/orders", search: { order: order.id } }),
    })),
    ...(orders.length === FOUND
      ? [
          {
            id: "all",
            icon: "search" as const,
            name: `All orders with ${typed}`,
            act: () => void navigate({ to: "/orders", search: { find: typed } }),
          },
        ]
      : []),
  ];
  const none = isAsking
    ? "Looking …"
    : isLong && found.isError
      ? "The orders could not be searched. Try again in a moment."
      : "Nothing has this name or number.";
  return { choices, none };
}
