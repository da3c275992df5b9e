import type { Database } from "../db/database.ts";
import { addressKey } from "../kernel/address.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ErasedName } from "../kernel/erased-name.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import { makeRareWarnings } from "../kernel/rare-warnings.ts";
import type { InboundMessage } from "../ports/provider.ts";
import { recordInbound } from "./inbound.repo.ts";

/** Records what a handset wrote; resolves after commit. */
export type SmsInbound = (provider: string, mode: Mode, message: InboundMessage) => Promise<void>;

export interface SmsInboundOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly erasedName: ErasedName;
}

/** Takes messages from handsets. One that nobody owns is kept, and the operator is warned: it may be an opt-out. */
export function makeSmsInbound({ db, clock, log, erasedName }: SmsInboundOptions): SmsInbound {
  const warn = makeRareWarnings(log, clock);
  return async (provider, mode, message) => {
    const owner = await recordInbound(db, provider, mode, newUuid(), message, erasedName);
    if (owner !== null) return;
    const number = addressKey(message.to);
    warn(
      `${mode} ${number}`,
      { provider, mode, number },
      "a handset wrote to a number that no account has, so an opt-out reaches nobody; give it with ./afara numbers assign",
    );
  };
}
