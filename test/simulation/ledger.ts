import assert from "node:assert/strict";
import type { MoneyMove } from "../../src/orders/steps.ts";

/** The money of one order in plain double entry: what `change_orders` is to do with it, without SQL. */
export interface SimulatedLedger {
  move(money: MoneyMove): void;
  readonly hold: "pending" | "posted" | "voided";
  readonly refunded: boolean;
  /** Whether what was done for nothing is booked as a loss. */
  readonly lost: boolean;
  /** What the customer has got back or never paid, net: 0 when the price is taken. */
  readonly available: bigint;
}

export function makeLedger(walletKobo: bigint, priceKobo: bigint): SimulatedLedger {
  const balance = { wallet: walletKobo - priceKobo, held: priceKobo, sales: 0n, refunds: 0n, loss: 0n };
  const done = new Set<MoneyMove>();
  let hold: "pending" | "posted" | "voided" = "pending";
  const move = (from: keyof typeof balance, to: keyof typeof balance) => {
    balance[from] -= priceKobo;
    balance[to] += priceKobo;
  };
  return {
    move(money) {
      switch (money) {
        case "post":
        case "void":
          assert.equal(hold, "pending", `the hold is settled a second time (${money} after ${hold})`);
          hold = money === "post" ? "posted" : "voided";
          move("held", money === "post" ? "sales" : "wallet");
          break;
        case "refund":
          assert.equal(hold, "posted", "what was not taken is refunded");
          if (!done.has("refund")) move("refunds", "wallet");
          break;
        case "loss":
          assert.equal(hold, "voided", "a loss is booked although the price was taken");
          if (!done.has("loss")) move("loss", "sales");
          break;
        case "loss_undone":
          // A vendor may take back what nobody had booked as a loss: then there is nothing to undo.
          if (done.has("loss") && !done.has("loss_undone")) move("sales", "loss");
          else return;
          break;
      }
      done.add(money);
      const total = Object.values(balance).reduce((sum, one) => sum + one, 0n);
      assert.equal(total, walletKobo, "money appeared or vanished");
    },
    get hold() {
      return hold;
    },
    get refunded() {
      return done.has("refund");
    },
    get lost() {
      return done.has("loss") && !done.has("loss_undone");
    },
    get available() {
      return balance.wallet;
    },
  };
}
