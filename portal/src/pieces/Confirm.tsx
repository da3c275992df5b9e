import { Button, Modal, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ProblemView } from "./ProblemView.tsx";

interface ConfirmProps {
  readonly opened: boolean;
  /** Names the thing: "Revoke afara_test_Ab12…". */
  readonly title: string;
  /** The consequence. */
  readonly children: ReactNode;
  readonly action: string;
  /** For what can't be undone: the name that has to be typed. */
  readonly typed?: string;
  readonly isBusy: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done, and says what follows from it. */
export function Confirm(is: ConfirmProps) {
  const [name, setName] = useState("");
  const close = () => {
    setName("");
    is.onClose();
  };
  return (
    <Modal opened={is.opened} onClose={close} title={is.title} closeButtonProps={{ "aria-label": "Close" }}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          is.onConfirm();
        }}
      >
        <div>{is.children}</div>
        {is.typed !== undefined && (
          <TextInput
            label={`Type ${is.typed} to go on`}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        {is.error ? <ProblemView error={is.error} /> : null}
        <div className="row">
          <Button
            type="submit"
            color={is.typed === undefined ? "brand" : "red"}
            loading={is.isBusy}
            disabled={is.typed !== undefined && name !== is.typed}
          >
            {is.action}
          </Button>
          <Button variant="default" onClick={close}>
            Leave it
          </Button>
        </div>
      </form>
    </Modal>
  );
}
