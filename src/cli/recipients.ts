import { SERVICES } from "../app/services.ts";
import type { OrderTokens, RecipientKind } from "../orders/service-definition.ts";

/** What orders are for besides phones and chat addresses, each with its service: meters of electricity, smartcards of cable TV. */
export const RECIPIENTS: readonly (RecipientKind & { readonly service: string })[] = SERVICES.flatMap(
  ({ service, recipient }) => (recipient ? [{ service, ...recipient }] : []),
);

/** `sms, airtime or chat` */
export const eitherOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

export const SERVICE_NAMES: readonly string[] = SERVICES.map(({ service }) => service);

/** Services whose successes bring tokens. */
export const TOKEN_SERVICES: readonly string[] = SERVICES.flatMap(({ service, tokens }) => (tokens ? [service] : []));

/** A kind of tokens. No two services have one of the same name. */
export interface TokenKind extends Pick<OrderTokens, "read" | "form"> {
  readonly kind: string;
  /** It is what a purchase pays for, so a token without a kind may be of it. */
  readonly isPaid: boolean;
}

export const TOKEN_KINDS: readonly TokenKind[] = SERVICES.flatMap(({ tokens }) =>
  (tokens?.kinds ?? []).map((kind, index) => ({ ...tokens!, kind, isPaid: index === 0 })),
);
