import Type from "typebox";
import type { Db } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { moneyOf } from "../http/schemas.ts";
import type { Uuid } from "../kernel/ids.ts";
import { koboToNaira, ZERO_KOBO } from "../kernel/kobo.ts";
import { readWallet } from "../ledger/ledger.repo.ts";

const Naira = Type.String({ pattern: "^-?\\d+\\.\\d{2}$" });
const Wallet = Type.Object({ balance: Naira, held: Naira, available: Naira, currency: Type.Literal("NGN") });

const EXAMPLE = { balance: "999996.00", held: "0.00", available: "999996.00", currency: "NGN" };

export function walletRoutes(app: Http, { db }: { readonly db: Db }): void {
  app.get(
    "/wallet",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        answerExamples: [{ status: 200, summary: "The wallet", value: EXAMPLE }],
      },
      schema: {
        operationId: "getWallet",
        summary: "Balance, held and available money",
        description:
          "`balance` is all of the account's money, `held` what orders under way have set aside of it, `available` what can be spent now. A test key sees its play money.",
        tags: ["Wallet"],
        response: { 200: Wallet },
      },
    },
    async (request) => {
      const { accountId, mode } = callerOf(request);
      const wallet = await readWallet(db, accountId as Uuid, mode);
      return {
        balance: koboToNaira(wallet?.balanceKobo ?? ZERO_KOBO),
        held: koboToNaira(wallet?.heldKobo ?? ZERO_KOBO),
        available: koboToNaira(wallet?.availableKobo ?? ZERO_KOBO),
        currency: moneyOf(ZERO_KOBO).currency,
      };
    },
  );
}
