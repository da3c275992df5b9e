import { parseKobo, ZERO_KOBO } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { moneyOf } from "../kernel/money.ts";
import type { WalletBalance } from "../ledger/ledger.repo.ts";

/** A wallet in API form; a wallet without transfers is empty. */
export const walletView = (mode: Mode, wallet: WalletBalance | undefined) => ({
  object: "wallet" as const,
  mode,
  balance: moneyOf(wallet?.balanceKobo ?? ZERO_KOBO),
  held: moneyOf(wallet?.heldKobo ?? ZERO_KOBO),
  available: moneyOf(wallet?.availableKobo ?? ZERO_KOBO),
});

/** A wallet in its event: what it had when it fell below the threshold. */
export const lowWalletView = (mode: Mode, detail: Readonly<Record<string, unknown>> | null) => ({
  object: "wallet" as const,
  mode,
  available: moneyOf(parseKobo(String(detail?.available))),
  threshold: moneyOf(parseKobo(String(detail?.threshold))),
});
