import type { Database, Db } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import { parseChatAddress } from "../kernel/chat-address.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { InboundChat } from "../ports/chat-payload.ts";
import type { InboundMessage } from "../ports/provider.ts";
import type { Recipient } from "./caller.ts";
import { isMarketing, recordChatInbound } from "./inbound.repo.ts";

/** What a person did; one of these. */
export interface Said {
  readonly typed?: string;
  readonly pressed?: {
    readonly title: string;
    readonly id: string;
    readonly under: "marketing" | "template" | "question";
  };
  readonly preference?: "stop" | "resume";
}

/** What it does besides being kept (STOP); undefined for all ordinary ones. */
export type ApplyOptOut = (said: Said) =>
  | {
      readonly understoodAs: "stop" | "start";
      act(db: Db, recipient: Recipient, at: Date): Promise<void>;
    }
  | undefined;

export interface InboundOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly applyOptOut: ApplyOptOut;
}

/** A vendor's call may bring a thousand messages: they must not take every connection from those who send. */
const CONCURRENCY = 2;

/** Takes in what people write. Resolves once it is committed. */
export function makeInbound({ db, clock, applyOptOut }: InboundOptions) {
  const takeIn = async ({ provider, mode, message }: Written): Promise<void> => {
    const at = clock.now();
    const told: InboundChat = { type: "unknown", ...message.facts };
    // Nobody can send to what is no address of ours, so its wishes need no row.
    const from = parseChatAddress(message.from, mode);
    const heeded = from.ok ? applyOptOut(await saidBy(provider, message, told)) : undefined;
    const facts = heeded ? { ...told, understood_as: heeded.understoodAs } : told;
    const record = (tx: Db) => recordChatInbound(tx, provider, mode, newUuid(), { ...message, facts }, at);
    if (!from.ok || !heeded) {
      await record(db);
      return;
    }
    await db.transaction(async (tx) => {
      const recorded = await record(tx);
      // A vendor's clock that runs ahead must not outrun what is said later.
      const saidAt = new Date(Math.min(message.at.getTime(), at.getTime()));
      // A repeat may be the same thing done again, where the vendor gives it no name and no time. By its time, a STOP does no harm twice.
      if (recorded.accountId && (!recorded.isRepeat || heeded.understoodAs === "stop"))
        await heeded.act(tx, { accountId: recorded.accountId, mode, address: from.value }, saidAt);
    });
  };

  async function saidBy(provider: string, { text }: InboundMessage, facts: InboundChat): Promise<Said> {
    const { type, choice, preference, in_reply_to: repliedTo, group_id: group } = facts;
    if (preference) return { preference };
    // What is said to a group is not said to the account.
    if (group !== undefined) return {};
    if (!choice) return { typed: text };
    if (type !== "button") return { pressed: { ...choice, under: "question" } };
    // Only a template has such buttons. One that is not known any more may have been an offer.
    const isOffer = repliedTo === undefined ? undefined : await isMarketing(db, provider, repliedTo);
    return { pressed: { ...choice, under: isOffer === false ? "template" : "marketing" } };
  }

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
