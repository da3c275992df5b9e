import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { type ChatNumber, numbersOf, takeFreeNumber } from "./numbers.repo.ts";

/** Which number an account writes from. */
export interface ChatNumbers {
  /** The one named, if it is the account's; else the one that it has had longest. */
  choose(
    owner: NumberOwner,
    from: string | undefined,
  ): Promise<Result<ChatNumber, Fault & { readonly pointer: "/from" }>>;
  /** All of the account's. An account in test mode gets one of the simulator's at its first use, and shares it with nobody. */
  all(owner: NumberOwner): Promise<readonly ChatNumber[]>;
}

export interface NumberOwner {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

export interface ChatNumbersOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Those of the simulators. */
  readonly testNumbers: readonly ChatNumber[];
}

export function makeChatNumbers({ db, clock, testNumbers }: ChatNumbersOptions): ChatNumbers {
  const all = async (owner: NumberOwner): Promise<readonly ChatNumber[]> => {
    const own = await numbersOf(db, owner.accountId, owner.mode);
    if (own.length > 0 || owner.mode === "live") return own;
    return takeFreeNumber(db, { ...owner, at: clock.now() }, testNumbers);
  };
  return {
    all,
    async choose(owner, from) {
      const own = await all(owner);
      const chosen = from === undefined ? own[0] : own.find(({ number }) => number === digitsOf(from));
      if (chosen) return ok(chosen);
      const detail =
        own.length === 0
          ? "The account has no chat number to write from. Ask the operator for one."
          : `This is not a chat number of the account. It has: ${own.map(({ number }) => `+${number}`).join(", ")}.`;
      return refuse({ pointer: "/from", code: "sender_not_approved", detail });
    },
  };
}

const digitsOf = (number: string): string => number.replaceAll(/[\s+().-]/g, "");
