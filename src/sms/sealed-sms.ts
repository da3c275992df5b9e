import type { Uuid } from "../kernel/ids.ts";
import { makeSeal } from "../kernel/seal.ts";
import type { StoredSms } from "./sms.definition.ts";

/** Messages whose text is a secret (an electricity token): readable in no row, backup or log, only on the handset. */
export interface SmsSeal {
  /** What is stored of the message `id`: `shownAs` in the place of its text. It is counted and charged as the text that leaves. */
  seal(id: Uuid, payload: StoredSms, shownAs: string): StoredSms;
  /** The payload as its vendor needs it. Those of other messages and services are given back as they are. Throws when it was tampered with. */
  open(order: { readonly id: Uuid; readonly payload: unknown }): unknown;
}

export function makeSmsSeal(secret: string): SmsSeal {
  const texts = makeSeal(secret, "secret texts v1");
  return {
    seal: (id, payload, shownAs) => ({ ...payload, text: shownAs, sealed_text: texts.seal(id, payload.text) }),
    open({ id, payload }) {
      const { sealed_text: sealed, ...rest } = payload as Partial<StoredSms>;
      return sealed === undefined ? payload : { ...rest, text: texts.open(id, sealed) };
    },
  };
}
