import type { Uuid } from "../kernel/ids.ts";
import { makeSeal } from "../kernel/seal.ts";
import type { StoredChat } from "./chat.definition.ts";

/** Texts that are a secret (an electricity token): readable in no row, backup or log, only on the handset. As `SmsSeal`. */
export interface ChatSeal {
  /** What is stored of the message `id`: `shownAs` in the place of its text. Content other than text is left as it is. */
  seal(id: Uuid, payload: StoredChat, shownAs: string): StoredChat;
  /** The payload as its vendor needs it; any other is given back as it is. Throws when it was tampered with. */
  open(order: { readonly id: Uuid; readonly payload: unknown }): unknown;
}

export function makeChatSeal(secret: string): ChatSeal {
  const texts = makeSeal(secret, "secret chat texts v1");
  return {
    seal(id, payload, shownAs) {
      const { content } = payload;
      if (content.type !== "text") return payload;
      return { ...payload, content: { ...content, body: shownAs }, sealed_body: texts.seal(id, content.body) };
    },
    open({ id, payload }) {
      const { sealed_body: sealed, ...rest } = payload as Partial<StoredChat>;
      return sealed === undefined ? payload : { ...rest, content: { ...rest.content, body: texts.open(id, sealed) } };
    },
  };
}
