import type { TProperties } from "typebox";
import type { Uuid } from "../kernel/ids.ts";
import { makeSeal } from "../kernel/seal.ts";
import type { Doubt, Facts } from "../ports/provider.ts";
import type { PurchaseFacts, TokenParcel } from "../ports/purchase.ts";

/** Tokens are money: readable in no row, backup or log. They are sealed before they are stored, and opened to be shown. */
export interface TokenSeal {
  /** What a vendor taught, with its tokens sealed, and the answer that is in doubt, if any. */
  seal(orderId: Uuid, facts: Facts): Facts;
  /** The tokens of an order, in the order in which they are used; none when it has none. Throws when they were tampered with. */
  open(order: { readonly id: Uuid; readonly facts: Facts | null }): readonly TokenParcel[];
  /** The vendor's answer that a person must look at; undefined when there is none. Throws like `open`. */
  openAnswer(order: { readonly id: Uuid; readonly facts: Facts | null }): string | undefined;
}

/** How the tokens of a service are written, and how the OpenAPI document describes them. */
export interface TokenForm {
  /** In the order in which they are used. */
  readonly kinds: readonly string[];
  /** As people type it. */
  readonly written: (value: string) => string;
  /** For keys that may not vend, and in a message as it is stored and shown. */
  readonly masked: (value: string) => string;
  /** What `written` makes, as a sentence. */
  readonly valueText: string;
  /** What the customer does with them, as a sentence. */
  readonly useText: string;
  /** Members of a token besides `kind` and `value`. */
  readonly members?: TProperties;
}

const SEALED = "sealed_tokens";

/** Whether any have come. */
export const hasTokens = ({ facts }: { readonly facts: Facts | null }): boolean => facts?.[SEALED] !== undefined;

/** As it was before they came. */
export function withoutTokens<Owner extends { readonly facts: Facts | null }>(owner: Owner): Owner {
  const { [SEALED]: _tokens, ...facts } = owner.facts ?? {};
  return { ...owner, facts: owner.facts && facts };
}

export function makeTokenSeal(secret: string): TokenSeal {
  // The name is part of the key: another one would open no token that is stored.
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

/** Tokens as a key sees them: in full if it may vend. */
export const tokensView = (tokens: readonly TokenParcel[], form: TokenForm, mayVend: boolean) =>
  tokens.map(({ kind, value, ...more }) => ({
    kind,
    value: mayVend ? form.written(value) : form.masked(value),
    ...more,
  }));

/** A shorter code would be guessed from its last four characters. */
const SHOWN_FROM_CHARACTERS = 12;

/** A code of any form, with its last four characters alone. */
export const maskedCode = (value: string): string =>
  value.length < SHOWN_FROM_CHARACTERS ? "****" : `**** ${value.slice(-4)}`;
