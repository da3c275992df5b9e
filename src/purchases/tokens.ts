import type { Uuid } from "../kernel/ids.ts";
import { makeSeal } from "../kernel/seal.ts";
import type { Doubt, Facts } from "../ports/provider.ts";
import type { PurchaseFacts, TokenParcel } from "../ports/purchase-payload.ts";

/** Electricity tokens are money: readable in no row, backup or log. They are sealed before they are stored, and opened to be shown. */
export interface TokenSeal {
  /** What a vendor taught, with its tokens sealed, and the answer that is in doubt, if any. */
  seal(orderId: Uuid, facts: Facts): Facts;
  /** The tokens of an order, in the order in which they are typed in; none when it has none. Throws when they were tampered with. */
  open(order: { readonly id: Uuid; readonly facts: Facts | null }): readonly TokenParcel[];
  /** The vendor's answer that a person must look at; undefined when there is none. Throws like `open`. */
  openAnswer(order: { readonly id: Uuid; readonly facts: Facts | null }): string | undefined;
}

const SEALED = "sealed_tokens";

/** Whether any have come. */
export const hasTokens = ({ facts }: { readonly facts: Facts | null }): boolean => facts?.[SEALED] !== undefined;

export function makeTokenSeal(secret: string): TokenSeal {
  const texts = makeSeal(secret, "electricity tokens v1");
  const answers = makeSeal(secret, "answers in doubt v1");
  return {
    seal(orderId, facts) {
      const { tokens, doubt, ...rest } = facts as PurchaseFacts & { readonly doubt?: Doubt };
      if (!tokens && !doubt) return facts;
      return {
        ...rest,
        ...(tokens && { [SEALED]: texts.seal(orderId, JSON.stringify(tokens)) }),
        ...(doubt && { doubt: { why: doubt.why, sealed_answer: answers.seal(orderId, doubt.answer) } }),
      };
    },
    openAnswer({ id, facts }) {
      const sealed = (facts?.doubt as { readonly sealed_answer?: string } | undefined)?.sealed_answer;
      return sealed === undefined ? undefined : answers.open(id, sealed);
    },
    open({ id, facts }) {
      const sealed = facts?.[SEALED];
      return typeof sealed === "string" ? (JSON.parse(texts.open(id, sealed)) as readonly TokenParcel[]) : [];
    },
  };
}

/** `1234 5678 9012 3456 7890`: how people type it. */
export const inGroups = (token: string): string => token.replace(/(\d{4})(?=\d)/g, "$1 ");

/** For keys that may not vend: the last group only. */
export const masked = (token: string): string => `**** **** **** **** ${token.slice(-4)}`;
