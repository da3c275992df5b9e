import assert from "node:assert/strict";
import { newUuid } from "../kernel/ids.ts";
import type { ChatContent, ChatPayload } from "../ports/chat-payload.ts";
import type { InboundMessage, Provider, ProviderReport, ProviderSink, ProviderTask } from "../ports/provider.ts";

/** The first number of the simulator, and of the configuration that comes with the gateway. */
export const CHAT_NUMBER = "2347000000001";

export const CHAT_CONTENTS = {
  text: { type: "text", body: "Hello", preview_url: false },
  template: { type: "template", name: "order_update", language: "en_US", body: ["Ada", "4471"] },
} as const satisfies Record<string, ChatContent>;

/** A first attempt with the reference that the provider makes for it. */
export function chatTask(
  provider: Pick<Provider<ChatPayload>, "makeReference">,
  recipient: string,
  content: ChatContent = CHAT_CONTENTS.template,
  more: Partial<Omit<ChatPayload, "content">> = {},
): ProviderTask<ChatPayload> {
  const orderId = newUuid();
  const attempt = 1;
  return {
    orderId,
    service: "chat",
    mode: "test",
    attempt,
    recipient,
    payload: { from: CHAT_NUMBER, content, ...more },
    reference: provider.makeReference?.({ orderId, attempt }, new Date()) ?? null,
    expiresAt: null,
    mayStillSend: () => true,
  };
}

/** Remembers reports and messages; stores nothing of what `fails` names. */
export class ChatSink implements ProviderSink {
  readonly reports: ProviderReport[] = [];
  readonly messages: InboundMessage[] = [];
  /** Provider references that can't be stored. */
  readonly fails = new Set<string>();

  async report(report: ProviderReport): Promise<void> {
    this.#check(report.providerReference);
    this.reports.push(report);
  }
  async inbound(message: InboundMessage): Promise<void> {
    this.#check(message.providerReference);
    this.messages.push(message);
  }
  async hint(): Promise<void> {
    assert.fail("a signed callback is more than a hint");
  }
  plansChanged(): void {}
  readinessChanged(): void {}

  /** Of one message, in the order of coming. */
  statuses(reference: string | null): readonly string[] {
    return this.reports.filter(({ ourReference }) => ourReference === reference).map(({ status }) => status);
  }

  #check(reference: string | undefined): void {
    if (reference !== undefined && this.fails.has(reference)) throw new Error("the database is away");
  }
}
