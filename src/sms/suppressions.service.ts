import type { Database, Db } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ErasedName } from "../kernel/erased-name.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { type Pressed, stopsMarketing } from "./opt-buttons.ts";
import { optWord } from "./opt-words.ts";
import { type Act, applyOptOutOf, areSuppressed, type Reaching, type Recipient, revive } from "./suppressions.repo.ts";

/** What a person did by chat, one of these. */
export interface Said {
  readonly typed?: string;
  readonly pressed?: Pressed;
  /** What was chosen in the app's own settings. */
  readonly preference?: "stop" | "resume";
}

/** How it is understood, and what is to be done where it is recorded. */
export interface Heeded {
  readonly understoodAs: "stop" | "start";
  act(db: Db, recipient: Recipient, at: Date): Promise<void>;
}

export interface Suppressions {
  isSuppressed(recipient: Reaching): Promise<boolean>;
  /** Which of a bulk's recipients get no promotional SMS. One query. */
  suppressedAmong(accountId: Uuid, mode: Mode, phones: readonly string[]): Promise<ReadonlySet<string>>;
  /** Undefined for all that asks for nothing. */
  applyOptOut(said: Said): Heeded | undefined;
}

const LOOKS_MAX = 500;

export interface SuppressionsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly erasedName: ErasedName;
}

export function makeSuppressions({ db, clock, erasedName }: SuppressionsOptions): Suppressions {
  // Messages that come up together are looked up together.
  const looks = makeCommitLane<Reaching, boolean>({
    batchMax: LOOKS_MAX,
    run: (recipients) => areSuppressed(db, recipients, clock.now(), erasedName),
  });

  return {
    isSuppressed: (recipient) => looks.submit(recipient),
    async suppressedAmong(accountId, mode, phones) {
      const found = await areSuppressed(
        db,
        phones.map((address) => ({ accountId, mode, address, channel: "sms" as const })),
        clock.now(),
        erasedName,
      );
      return new Set(phones.filter((_, index) => found[index]));
    },
    applyOptOut(said) {
      const act = actOf(said);
      return (
        act && {
          understoodAs: act.act === "stop" ? "stop" : "start",
          async act(tx, recipient, at) {
            if (act.act !== "stop") await revive(tx, recipient, erasedName);
            await applyOptOutOf(tx, recipient, act, at);
          },
        }
      );
    },
  };
}

/** A typed STOP is meant for all that we send; what is said of marketing by chat, for that alone. */
function actOf({ typed, pressed, preference }: Said): Act | undefined {
  if (preference !== undefined) return { act: preference, channel: "chat", reason: "preference" };
  if (pressed) return stopsMarketing(pressed) ? { act: "stop", channel: "chat", reason: "button" } : undefined;
  const word = optWord(typed ?? "");
  return word && { act: word, channel: word === "stop" ? "all" : "chat", reason: "stop" };
}
