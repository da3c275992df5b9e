import type { Database } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Order } from "../orders/order.ts";
import type { Failure, LastLook } from "../orders/service-definition.ts";
import { storedSms } from "./sms.definition.ts";
import { areSuppressed, type Recipient } from "./suppressions.repo.ts";

export interface Suppressions {
  isSuppressed(recipient: Recipient): Promise<boolean>;
  /** Which of a bulk's recipients are suppressed. One query. */
  suppressedAmong(accountId: Uuid, mode: Mode, phones: readonly string[]): Promise<ReadonlySet<string>>;
  /** What was accepted for later, or waited long, is looked at again. */
  readonly lastLook: LastLook;
}

const LOOKS_MAX = 500;
/** For so long the look at the acceptance stands. One that was accepted for later is always looked at again. */
const LOOK_STANDS_MS = 60_000;

export function makeSuppressions({ db, clock }: { readonly db: Database; readonly clock: Clock }): Suppressions {
  // Messages that come up together are looked up together.
  const looks = makeCommitLane<Recipient, boolean>({
    batchMax: LOOKS_MAX,
    run: (recipients) => areSuppressed(db, recipients, clock.now()),
  });
  const look = async (order: Order): Promise<Failure | undefined> => {
    const recipient = { accountId: order.accountId, mode: order.mode, phone: order.recipient };
    return (await looks.submit(recipient)) ? OPTED_OUT : undefined;
  };

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
    lastLook(order) {
      if (order.service !== "sms") return undefined;
      const { route, scheduled } = storedSms(order);
      if (route !== "promotional") return undefined;
      const isRecent = clock.now().getTime() - order.createdAt.getTime() < LOOK_STANDS_MS;
      return isRecent && !scheduled ? undefined : look(order);
    },
  };
}

const OPTED_OUT: Failure = {
  code: "opted_out",
  detail: "The recipient opted out of promotional messages before it could leave.",
};
