import assert from "node:assert/strict";
import type { Answer } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Money, type Problem, type Subscriber } from "./rig.ts";

/** A chat message as subscribers see it; `GET /chat/status/{id}` adds the last two. */
export interface ChatMessage {
  readonly id: string;
  readonly direction: "outbound";
  readonly status: string;
  readonly to: string;
  readonly from: string;
  readonly type: string;
  readonly message?: string;
  readonly category: string;
  readonly price: Money;
  readonly charge: "held" | "charged" | "returned";
  readonly failure?: { readonly code: string; readonly detail: string };
  readonly timeline: readonly { readonly status: string; readonly at: string; readonly detail?: string }[];
}

export interface ReceivedMessage {
  readonly id: string;
  readonly direction: "inbound";
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly message?: string;
  readonly media?: {
    readonly status: string;
    readonly mime_type?: string;
    readonly sha256?: string;
    readonly size?: number;
  };
  readonly choice?: { readonly id: string; readonly title: string };
  readonly reaction?: { readonly message_id?: string; readonly emoji?: string };
  readonly location?: { readonly latitude: number; readonly longitude: number };
  readonly reply_to?: string;
}

type Caller = Pick<Subscriber, "get" | "post">;

/** A send that must be accepted. */
export async function chat(
  who: Caller,
  kind: string,
  body: object,
  headers?: Record<string, string>,
): Promise<ChatMessage> {
  const answer = await who.post<ChatMessage>(`/chat/send/${kind}`, body, headers);
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  return answer.body;
}

/** A send that must be refused. */
export async function chatRefused(
  who: Caller,
  kind: string,
  body: object,
): Promise<Problem & { readonly window?: { readonly last_inbound_at: string | null } }> {
  const answer: Answer<Problem> = await who.post<Problem>(`/chat/send/${kind}`, body);
  assertProblem(answer);
  return answer.body;
}

export const template = (to: string, body: readonly string[] = ["Ada", "4471"], more: object = {}) => ({
  to,
  template: "order_update",
  language: "en_US",
  variables: { body },
  ...more,
});

export async function chatStatus(who: Caller, id: string): Promise<ChatMessage> {
  const answer = await who.get<ChatMessage>(`/chat/status/${id}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

export const chatReached = (who: Caller, id: string, state: string): Promise<ChatMessage> =>
  waitFor(`${id} is ${state}`, async () => {
    const message = await chatStatus(who, id);
    return message.status === state ? message : undefined;
  });

/** The handset writes to the account; resolves when its window is open. */
export async function handsetWrites(who: Caller, phone: string, message = "Hello"): Promise<void> {
  const written = await who.post(`/test/handsets/${encodeURIComponent(phone)}/messages`, { channel: "chat", message });
  assert.equal(written.status, 202, JSON.stringify(written.body));
  await waitFor(`${phone}'s window`, async () => {
    const { body } = await who.get<{ open: boolean }>(`/chat/window/${encodeURIComponent(phone)}`);
    return body.open || undefined;
  });
}

/** What the phone wrote to the account, the newest first. */
export async function received(who: Caller, phone: string): Promise<readonly ReceivedMessage[]> {
  const { body } = await who.get<{ data: readonly ReceivedMessage[] }>(
    `/chat/messages?direction=inbound&phone=${encodeURIComponent(phone)}`,
  );
  return body.data;
}
