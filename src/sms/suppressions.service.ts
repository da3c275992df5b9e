import type { Database, Db } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { areSuppressed, heedRecipient, type Recipient } from "./suppressions.repo.ts";
import { optWord } from "./suppressions.ts";

export interface Suppressions {
  isSuppressed(recipient: Recipient): Promise<boolean>;
  /** Which of a bulk's recipients are suppressed. One query. */
  suppressedAmong(accountId: Uuid, mode: Mode, phones: readonly string[]): Promise<ReadonlySet<string>>;
  /** What a text to another channel asks for (STOP, START), to be done where it is recorded; undefined for all ordinary ones. */
  heed(text: string): ((db: Db, recipient: Recipient, at: Date) => Promise<void>) | undefined;
}

const LOOKS_MAX = 500;

export function makeSuppressions({ db, clock }: { readonly db: Database; readonly clock: Clock }): Suppressions {
  // Messages that come up together are looked up together.
  const looks = makeCommitLane<Recipient, boolean>({
    batchMax: LOOKS_MAX,
    run: (recipients) => areSuppressed(db, recipients, clock.now()),
  });

  return {
    isSuppressed: (recipient) => looks.submit(recipient),
    async suppressedAmong(accountId, mode, phones) {
      const found = await areSuppressed(
        db,
        phones.map((phone) => ({ accountId, mode, phone })),
        clock.now(),
      );
      return new Set(phones.filter((_, index) => found[index]));
    },
    heed(text) {
      const word = optWord(text);
      return word && ((tx, recipient, at) => heedRecipient(tx, recipient, word, at));
    },
  };
}
