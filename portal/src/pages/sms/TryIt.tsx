import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useKeyOfTab } from "../../api/keys.ts";
import { problemOf } from "../../api/problem.ts";
import { useMay } from "../../api/session.ts";
import { CodeTabs } from "../../pieces/CodeTabs.tsx";
import { Handset } from "../../pieces/Handset.tsx";
import { FormProblem, ProblemView } from "../../pieces/ProblemView.tsx";
import { Counter } from "./Counter.tsx";
import { Progress } from "./Progress.tsx";
import { type Draft, useHandset, useMessage, useSend, useSenders } from "./sms.queries.ts";
import styles from "./TryIt.module.css";

const FIRST: Draft = { to: "08031234567", from: "", message: "Your code is 482913" };
const SHOWN_MAX = 3;

/** A form that sends for real in test mode, the phone beside it, and the code that does the same. */
export function TryIt() {
  const [draft, setDraft] = useState(FIRST);
  const maySend = useMay("send");
  const key = useKeyOfTab();
  const senders = useSenders();
  const send = useSend();
  const message = useMessage(send.data?.id);
  const now = message.data ?? send.data;
  const handset = useHandset(now?.to, now?.status);

  const change = (field: keyof Draft) => (event: { currentTarget: { value: string } }) => {
    setDraft({ ...draft, [field]: event.currentTarget.value });
    if (send.data || send.error) send.reset();
  };
  const problem = send.error ? problemOf(send.error) : undefined;
  const names = (senders.data?.data ?? []).map(({ sender }) => sender);
  const arrived = (handset.data?.messages ?? [])
    .filter(({ channel }) => channel === "sms")
    .slice(0, SHOWN_MAX)
    .reverse()
    .map((one) => ({ id: one.message_id, from: one.from, text: one.text, at: one.received_at }));

  return (
    <div className={styles.all}>
      <div className={styles.columns}>
        <form
          className={styles.form}
          aria-label="Send an SMS in test mode"
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate(draft);
          }}
        >
          <div className={styles.ends}>
            <TextInput
              label="To"
              value={draft.to}
              onChange={change("to")}
              inputMode="tel"
              error={problem?.of("/to")}
              required
              withAsterisk={false}
            />
            <NativeSelect
              label="From"
              value={draft.from}
              onChange={change("from")}
              error={problem?.of("/from")}
              data={[{ value: "", label: "Afara" }, ...names]}
            />
          </div>
          <Textarea
            label="Message"
            rows={3}
            value={draft.message}
            onChange={change("message")}
            error={problem?.of("/message")}
            required
            withAsterisk={false}
          />
          <Counter message={draft.message} />
          <FormProblem error={send.error} fields={["/to", "/from", "/message"]} />
          <div className="row">
            <Button type="submit" loading={send.isPending} disabled={!maySend}>
              Send in test mode
            </Button>
            {!maySend && <span className="soft">Your role may look, but not send.</span>}
          </div>
          <Progress message={now} timeline={message.data?.timeline} failure={message.data?.failure} />
          {message.error && <ProblemView error={message.error} />}
        </form>
        <Handset
          phone={now?.to ?? draft.to}
          messages={send.data ? arrived : []}
          draft={send.data ? undefined : { from: draft.from || "Afara", text: draft.message }}
        />
      </div>
      <CodeTabs
        call={{
          method: "POST",
          path: "/sms/send",
          body: { to: draft.to, message: draft.message, ...(draft.from && { from: draft.from }) },
        }}
        apiKey={key?.mode === "test" ? key.key : undefined}
      />
    </div>
  );
}
