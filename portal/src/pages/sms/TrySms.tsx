import { NativeSelect, TextInput } from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { Handset } from "../../pieces/Handset.tsx";
import styles from "../service/TryIt.module.css";
import { TryIt } from "../service/TryIt.tsx";
import { useHandset, useOrder } from "../service/try.queries.ts";
import { Counter } from "./Counter.tsx";
import { MessageField } from "./MessageField.tsx";
import { type Draft, usePreview, useSend, useSenders } from "./sms.queries.ts";

const FIRST: Draft = { to: "08031234567", from: "", message: "Your code is 482913" };
const SHOWN_MAX = 3;

/** A text to a simulated phone. */
export function TrySms() {
  const [draft, setDraft] = useState(FIRST);
  const senders = useSenders();
  const preview = usePreview(draft.message);
  const send = useSend();
  const order = useOrder(send.data?.id);
  const now = order.data ?? send.data;
  const handset = useHandset(send.data?.to, now?.status);

  const change = (field: keyof Draft) => (event: ChangeEvent<{ value: string }>) => {
    setDraft({ ...draft, [field]: event.currentTarget.value });
    send.begin();
  };
  const problem = send.error ? problemOf(send.error) : undefined;
  const names = (senders.data?.data ?? []).map(({ sender }) => sender);
  const arrived = (handset.data?.messages ?? [])
    .filter(({ channel }) => channel === "sms")
    .slice(0, SHOWN_MAX)
    .reverse()
    .map((one) => ({ id: one.message_id, from: one.from, text: one.text, at: one.received_at }));

  return (
    <TryIt
      label="Send an SMS in test mode"
      action="Send in test mode"
      isBusy={send.isPending}
      onSubmit={() => send.press(draft)}
      error={send.error}
      fields={["/to", "/from", "/message"]}
      order={now}
      orderError={order.error}
      farEnd={
        <Handset
          phone={now?.to ?? draft.to}
          messages={send.data ? arrived : []}
          draft={send.data ? undefined : { from: draft.from || "Afara", text: draft.message }}
        />
      }
      call={{
        path: "/sms/send",
        body: { to: draft.to, message: draft.message, ...(draft.from && { from: draft.from }) },
      }}
    >
      <div className={styles.ends}>
        <TextInput
          label="To"
          value={draft.to}
          onChange={change("to")}
          inputMode="tel"
          autoComplete="off"
          error={problem?.of("/to")}
        />
        <NativeSelect
          label="From"
          value={draft.from}
          onChange={change("from")}
          error={problem?.of("/from")}
          data={[{ value: "", label: "Afara" }, ...names]}
        />
      </div>
      <MessageField
        value={draft.message}
        onChange={change("message")}
        error={problem?.of("/message")}
        marked={new Set(preview.data?.non_gsm_characters.map(({ character }) => character))}
      />
      <Counter message={draft.message} preview={preview.data} />
    </TryIt>
  );
}
