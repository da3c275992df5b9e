import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { cleanName, cleanText } from "../orders/vendor-words.ts";
import type { TvProvider } from "../ports/cable-payload.ts";
import type { SmartcardAnswer } from "../ports/smartcard.ts";
import { askSellers } from "../purchases/ask-sellers.ts";
import type { Sellers } from "../purchases/sellers.ts";
import { ABILITIES, type AskedCard, type Verification } from "./cable.ts";
import { findVerification, insertVerification } from "./verifications.repo.ts";

/** Whose smartcard it is: asked of the vendors, and remembered for the account that asked. */
export interface Smartcards {
  /** Errors: `smartcard_not_found`, `provider_unavailable`. */
  verify(who: Asker, card: AskedCard): Promise<Result<Verification>>;
  /** What the account was told before, as long as it is kept. */
  find(who: Asker, id: Uuid): Promise<Verification | undefined>;
}

export interface Asker {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

export interface SmartcardsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sellers: Pick<Sellers<TvProvider>, "of">;
}

const NAME_MAX = 200;

type Found = Extract<SmartcardAnswer, { kind: "found" }>;

export function makeSmartcards({ db, clock, log, sellers }: SmartcardsOptions): Smartcards {
  return {
    find: ({ accountId, mode }, id) => findVerification(db, accountId, mode, id),

    async verify({ accountId, mode }, asked) {
      const told = await askSellers(sellers.of(mode, asked.tvProvider), log, ({ verify }) =>
        verify?.smartcard?.(asked),
      );
      if (!told) return refuse(NOBODY_SAYS);
      if (told.answer.kind !== "found") return refuse(noSuchCard(asked.tvProvider));
      const card = verificationOf({ accountId, mode }, asked, told.answer, told.provider, clock.now());
      await insertVerification(db, card);
      return ok(card);
    },
  };
}

function verificationOf(
  who: Asker,
  { tvProvider, smartcardNumber }: AskedCard,
  { customer, currentPlan, renewalKobo, dueDate }: Found,
  provider: string,
  verifiedAt: Date,
): Verification {
  return {
    ...who,
    id: newUuid(),
    tvProvider,
    smartcardNumber,
    customerName: cleanText(customer.name, NAME_MAX),
    currentPlan: currentPlan === undefined ? null : cleanName(currentPlan, NAME_MAX),
    renewalKobo: ABILITIES[tvProvider].kinds.includes("renew") ? (renewalKobo ?? null) : null,
    dueDate: dueDate ?? null,
    provider,
    verifiedAt,
  };
}

const NOBODY_SAYS = refusal(
  "provider_unavailable",
  "No vendor can say now whose smartcard it is. Nothing was bought and nothing is charged; try again in a minute.",
  { retryAfterSeconds: 60 },
);

function noSuchCard(tvProvider: TvProvider) {
  const detail = `${ABILITIES[tvProvider].name} knows no such smartcard. Check the number and the provider.`;
  return refusal("smartcard_not_found", detail, {
    errors: [{ pointer: "/smartcard_number", code: "smartcard_not_found", detail }],
  });
}
