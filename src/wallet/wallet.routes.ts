import Type from "typebox";
import type { Db } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { Mode, Money } from "../http/schemas.ts";
import type { Uuid } from "../kernel/ids.ts";
import { readWallet } from "../ledger/ledger.repo.ts";
import { walletView } from "./wallet.view.ts";

const Wallet = Type.Object(
  {
    object: Type.Literal("wallet"),
    mode: Mode,
    balance: { ...Money, description: "All of the account's money." },
    held: { ...Money, description: "The part reserved for orders in progress." },
    available: { ...Money, description: "The money that can be spent now: `balance` minus `held`." },
  },
  { title: "Wallet" },
);

const EXAMPLE = {
  object: "wallet",
  mode: "test",
  balance: { amount: "999996.00", currency: "NGN" },
  held: { amount: "4.00", currency: "NGN" },
  available: { amount: "999992.00", currency: "NGN" },
};

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
          "`balance` is all of the account's money, `held` the part reserved for orders in progress, `available` the part that can be spent now. A test key sees its play money.",
        tags: ["Wallet"],
        response: { 200: Wallet },
      },
    },
    async (request) => {
      const { accountId, mode } = callerOf(request);
      return walletView(mode, await readWallet(db, accountId as Uuid, mode));
    },
  );
}
