import type { Clock } from "../kernel/clock.ts";
import type { PreSendCheck } from "../orders/service-definition.ts";
import type { Senders } from "./senders.service.ts";
import { type StoredSms, storedSms } from "./sms.definition.ts";
import type { Suppressions } from "./suppressions.service.ts";

/** For so long the looks at the acceptance stand. What was accepted for later is always looked at again. */
const LOOK_STANDS_MS = 60_000;

export interface LastLookOptions {
  readonly clock: Clock;
  readonly senders: Pick<Senders, "ruleFor">;
  readonly suppressions: Pick<Suppressions, "isSuppressed">;
}

/**
 * What may have changed between the acceptance of a message and its leaving: the operator has refused its sender, or its
 * recipient has opted out. Nothing is asked for what leaves at once.
 */
export function makePreSendCheck({ clock, senders, suppressions }: LastLookOptions): PreSendCheck {
  return (order) => {
    const stored = storedSms(order);
    const isRecent = clock.now().getTime() - order.createdAt.getTime() < LOOK_STANDS_MS;
    return isRecent && !stored.scheduled ? undefined : look(order, stored);
  };

  async function look(order: Parameters<PreSendCheck>[0], { from, route, network_guess: network }: StoredSms) {
    const refused = (await senders.ruleFor(order))(from, route, network as Parameters<SenderRuleOf>[2]);
    if (refused) return { code: "sender_refused" as const, detail: refused.detail };
    const { accountId, mode, recipient: address } = order;
    const recipient = { accountId, mode, address, channel: "sms" as const };
    if (route !== "promotional" || !(await suppressions.isSuppressed(recipient))) return undefined;
    return OPTED_OUT;
  }
}

type SenderRuleOf = Awaited<ReturnType<Senders["ruleFor"]>>;

const OPTED_OUT = {
  code: "opted_out",
  detail: "The recipient opted out of promotional messages before it could leave.",
} as const;
