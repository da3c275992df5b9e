import type { Database, Db } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import type { InboundMessage } from "../providers/provider.ts";
import type { Recipient } from "./chat.service.ts";
import { recordChatInbound } from "./inbound.repo.ts";

/** What a person's words do besides being kept (STOP); undefined for all ordinary ones. */
export type Heed = (text: string) => ((db: Db, recipient: Recipient, at: Date) => Promise<void>) | undefined;

export interface InboundOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly heed: Heed;
}

/** A vendor's call may bring a thousand messages: they must not take every connection from those who send. */
const CONCURRENCY = 2;

/** Takes in what people write. Resolves once it is committed. */
export function makeInbound({ db, clock, heed }: InboundOptions) {
  const takeIn = async ({ provider, mode, message }: Written): Promise<void> => {
    const at = clock.now();
    const record = (tx: Db) => recordChatInbound(tx, provider, mode, newUuid(), message, at);
    // Nobody can send to what is no mobile number, so its wishes need no row.
    const from = parseMsisdn(message.from, mode);
    const act = from.ok ? heed(message.text) : undefined;
    if (!from.ok || !act) {
      await record(db);
      return;
    }
    await db.transaction(async (tx) => {
      const recorded = await record(tx);
      if (recorded?.accountId) await act(tx, { accountId: recorded.accountId, mode, phone: from.value }, at);
    });
  };
  const lane = makeCommitLane<Written, void>({
    batchMax: 1,
    concurrency: CONCURRENCY,
    run: (written) => Promise.all(written.map(takeIn)),
  });
  return (provider: string, mode: Mode, message: InboundMessage): Promise<void> =>
    lane.submit({ provider, mode, message });
}

interface Written {
  readonly provider: string;
  readonly mode: Mode;
  readonly message: InboundMessage;
}
