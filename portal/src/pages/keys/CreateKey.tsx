import { Button, Checkbox, Modal, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { NewKey } from "../../api/keys.ts";
import type { Mode } from "../../api/place.ts";
import { CopyButton } from "../../pieces/CopyButton.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { useCreateKey } from "./create.ts";
import styles from "./Keys.module.css";

const SCOPES = [
  { value: "read", label: "read: orders, wallet, usage" },
  { value: "send", label: "send: messages" },
  { value: "vend", label: "vend: airtime, data, electricity, cable TV" },
  { value: "manage", label: "manage: senders, webhooks, plans" },
];

interface CreateProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export function CreateKey({ opened, close }: CreateProps) {
  const create = useCreateKey();
  const leave = () => {
    create.reset();
    close();
  };
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={create.data ? "Your new key" : "Create a key"}
      closeButtonProps={{ "aria-label": "Close" }}
      closeOnClickOutside={!create.data}
    >
      {create.data ? <ShownOnce made={create.data} close={leave} /> : <Wish create={create} />}
    </Modal>
  );
}

function Wish({ create }: { readonly create: ReturnType<typeof useCreateKey> }) {
  const [mode, setMode] = useState<Mode>("test");
  const [scopes, setScopes] = useState(["read", "send", "vend"]);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ mode, scopes });
      }}
    >
      <SegmentedControl
        aria-label="Mode of the key"
        fullWidth
        data={[
          { value: "test", label: "Test" },
          { value: "live", label: "Live" },
        ]}
        value={mode}
        onChange={(value) => setMode(value as Mode)}
      />
      <p className="soft">
        {mode === "test"
          ? "Reaches simulated phones and meters, and spends play money."
          : "Reaches real phones and meters, and spends from the live wallet."}
      </p>
      <Checkbox.Group label="It may" value={scopes} onChange={setScopes}>
        <div className={styles.scopes}>
          {SCOPES.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </div>
      </Checkbox.Group>
      {create.error && <ProblemView error={create.error} />}
      <Button type="submit" loading={create.isPending} disabled={scopes.length === 0}>
        Create a {mode} key
      </Button>
    </form>
  );
}

export const ShownOnce = ({ made, close }: { readonly made: NewKey; readonly close: () => void }) => (
  <div className="stack">
    <p>Copy it now and keep it like a password: it is not shown again.</p>
    <code className={`${styles.key} mono`}>{made.key}</code>
    <div className="row">
      <CopyButton text={made.key} what="key" variant="filled" size="sm" />
      <Button variant="default" onClick={close}>
        I have it
      </Button>
    </div>
  </div>
);
