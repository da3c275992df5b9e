import { ActionIcon, TextInput } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { useMay } from "../../api/session.ts";
import { Icon } from "../../pieces/Icon.tsx";
import styles from "./Chat.module.css";

interface WriteProps {
  readonly phone: string;
  readonly write: UseMutationResult<unknown, Error, string>;
}

/** The other side of the conversation: what the person writes opens the window. */
export function WriteFromPhone({ phone, write }: WriteProps) {
  const [message, setMessage] = useState("Is my order ready?");
  const maySend = useMay("send");
  return (
    <form
      className={styles.write}
      aria-label={`Write from the phone ${phone}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (maySend && !write.isPending && message.trim() !== "")
          write.mutate(message, { onSuccess: () => setMessage("") });
      }}
    >
      <TextInput
        aria-label="Message from the phone"
        placeholder="Write from this phone"
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        error={write.error ? problemOf(write.error).message : undefined}
        autoComplete="off"
      />
      <ActionIcon
        type="submit"
        size={36}
        loading={write.isPending}
        disabled={!maySend || message.trim() === ""}
        aria-label="Write from the phone"
      >
        <Icon name="plane" />
      </ActionIcon>
    </form>
  );
}
