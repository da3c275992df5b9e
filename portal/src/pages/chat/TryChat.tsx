import { SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { type ChangeEvent, useEffect, useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { Handset, type Shown } from "../../pieces/Handset.tsx";
import { TryIt } from "../service/TryIt.tsx";
import { useHandset, useOrder } from "../service/try.queries.ts";
import { usePhone, useSendTemplate, useSendText, useTemplates } from "./chat.queries.ts";
import { type Filling, filledIn, pointersOf, TemplateFields, variablesOf } from "./TemplateFields.tsx";
import { WindowLine } from "./WindowLine.tsx";
import { WriteFromPhone } from "./WriteFromPhone.tsx";

type Kind = "text" | "template";

const FIRST_TEMPLATE = "order_update";
const SHOWN_MAX = 6;

/** A conversation with a simulated phone, which can answer. */
export function TryChat() {
  const [to, setTo] = useState("08031234567");
  const [kind, setKind] = useState<Kind>("text");
  const [message, setMessage] = useState("Your order 4471 is ready.");
  const [chosen, choose] = useState(FIRST_TEMPLATE);
  const [filling, fill] = useState<Filling>({});
  const templates = useTemplates();
  const template = templates.data?.find(({ name }) => name === chosen) ?? templates.data?.[0];
  const phone = usePhone(to);
  const text = useSendText();
  const sendTemplate = useSendTemplate();
  const send = kind === "text" ? text : sendTemplate;
  const order = useOrder(send.data?.id, phone.look);
  const now = order.data ?? send.data;
  const newest = phone.heard.data?.data[0]?.id;
  const handset = useHandset(phone.number, `${now?.id} ${now?.status} ${newest}`);

  const begin = () => {
    text.begin();
    sendTemplate.begin();
  };
  const problem = send.error ? problemOf(send.error) : undefined;
  const isWindowOpen = phone.window.data?.open === true;
  const isOutside = problem?.code === "chat_window_closed";
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was refused for a closed window is over when it opens
  useEffect(() => void (isWindowOpen && isOutside && begin()), [isWindowOpen]);
  const variables = template && variablesOf(template, filling);
  const templateDraft = template && {
    to,
    template: template.name,
    language: template.language,
    ...(variables && { variables }),
  };
  const isDraft = !send.data;
  const draftText = kind === "text" ? message : template ? filledIn(template, filling) : "";

  const received = (handset.data?.messages ?? [])
    .filter(({ channel }) => channel === "chat")
    .map((one): Shown => ({ id: one.message_id, from: one.from, text: one.text, at: one.received_at }));
  const written = (phone.heard.data?.data ?? []).flatMap((one): Shown[] =>
    one.direction === "inbound"
      ? [{ id: one.id, from: one.from, text: one.message ?? one.type, at: one.created_at, kind: "own" }]
      : [],
  );
  const talk = [...received, ...written].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));

  return (
    <TryIt
      label="Send a chat message in test mode"
      action="Send in test mode"
      isBusy={send.isPending || (kind === "template" && templates.isPending)}
      onSubmit={() => {
        if (kind === "text") text.press({ to, message });
        else if (templateDraft) sendTemplate.press(templateDraft);
      }}
      error={send.error}
      fields={["/to", "/message", "/template", ...(template ? pointersOf(template) : [])]}
      order={now}
      orderError={order.error ?? templates.error}
      farEnd={
        <Handset
          phone={now?.to ?? to}
          messages={talk.slice(-SHOWN_MAX)}
          draft={isDraft ? { from: received.at(-1)?.from ?? "Afara", text: draftText } : undefined}
          foot={<WriteFromPhone phone={to} write={phone.write} />}
        />
      }
      call={
        kind === "template" && templateDraft
          ? { path: "/chat/send/template", body: { ...templateDraft, variables: { ...variables } } }
          : { path: "/chat/send/text", body: { to, message } }
      }
    >
      <TextInput
        label="To"
        value={to}
        onChange={(event) => {
          setTo(event.currentTarget.value);
          begin();
        }}
        inputMode="tel"
        autoComplete="off"
        error={problem?.of("/to")}
      />
      <WindowLine window={phone.window.data} isText={kind === "text"} />
      <SegmentedControl
        aria-label="What to send"
        data={[
          { value: "text", label: "Text" },
          { value: "template", label: "Template" },
        ]}
        value={kind}
        onChange={(value) => {
          setKind(value as Kind);
          begin();
        }}
      />
      {kind === "text" ? (
        <Textarea
          label="Message"
          rows={3}
          value={message}
          onChange={(event: ChangeEvent<HTMLTextAreaElement>) => {
            setMessage(event.currentTarget.value);
            begin();
          }}
          error={problem?.of("/message")}
        />
      ) : (
        template && (
          <TemplateFields
            templates={templates.data ?? []}
            template={template}
            filling={filling}
            problem={problem}
            onChoose={(name) => {
              choose(name);
              fill({});
              begin();
            }}
            onFill={(next) => {
              fill(next);
              begin();
            }}
          />
        )
      )}
    </TryIt>
  );
}
