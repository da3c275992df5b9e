import type { Uuid } from "../kernel/ids.ts";
import type { Network } from "../kernel/networks.ts";
import type { SmsRoute } from "./prices.ts";
import type { SmsFault } from "./sms.ts";

/** Sender IDs: which an account may use, for what, on which networks. The networks ask for this; the operator decides. */

export const SENDER_CLASSES = ["transactional", "promotional", "both"] as const;
export type SenderClass = (typeof SENDER_CLASSES)[number];
export const APPROVALS = ["approved", "pending", "refused"] as const;
export type Approval = (typeof APPROVALS)[number];
export type Approvals = Readonly<Record<Network, Approval>>;

export type Reasons = Readonly<Partial<Record<Network, string>>>;

export interface Sender {
  readonly id: Uuid;
  /** As the account wrote it. */
  readonly name: string;
  readonly class: SenderClass;
  /** What shows that the name is the account's own. */
  readonly evidence: string | null;
  readonly networks: Approvals;
  /** Why the operator refused it, where that was said: of those networks alone that are `refused`. */
  readonly reasons: Reasons;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Networks show the case and don't tell senders apart by it. */
export const senderKey = (name: string): string => name.toLowerCase();

export const onAllNetworks = (approval: Approval): Approvals => ({
  mtn: approval,
  airtel: approval,
  glo: approval,
  "9mobile": approval,
});

/**
 * What becomes of the approvals when the account registers a sender again: what was refused is asked for anew, and another
 * class is another question altogether.
 */
export const askedAgain = (before: Pick<Sender, "class" | "networks">, now: SenderClass): Approvals => {
  if (before.class !== now) return onAllNetworks("pending");
  const { networks } = before;
  const again = (network: Network): Approval => (networks[network] === "refused" ? "pending" : networks[network]);
  return { mtn: again("mtn"), airtel: again("airtel"), glo: again("glo"), "9mobile": again("9mobile") };
};

/**
 * What keeps a message from leaving under a sender; undefined when nothing does. `network` is the guess by the number's
 * prefix; for null, a number without a guess, approval on any network is enough.
 */
export type SenderRule = (name: string, route: SmsRoute, network: Network | null) => SmsFault | undefined;

/** Test messages reach no network, so any sender of the right form passes. */
export const ANY_SENDER: SenderRule = () => undefined;

/** Senders that every account may use, by the operator's configuration. */
export interface OpenSenders {
  readonly keys: ReadonlySet<string>;
  /** One of them, to be named to who may not use theirs. */
  readonly example: string;
}

/** The rule of live messages. */
export function approvedSenders(own: ReadonlyMap<string, Sender>, open: OpenSenders): SenderRule {
  const instead = `send from "${open.example}", which everybody may use`;
  return (name, route, network) => {
    const key = senderKey(name);
    if (open.keys.has(key)) return undefined;
    const sender = own.get(key);
    if (!sender)
      return fault(`"${name}" is not a sender of your account. Register it with POST /sms/senders, or ${instead}.`);
    if (sender.class !== "both" && sender.class !== route)
      return fault(
        `"${name}" is registered for ${sender.class} messages. Register it again with the class "both", or ${instead}.`,
      );
    const states = network === null ? Object.values(sender.networks) : [sender.networks[network]];
    if (states.includes("approved")) return undefined;
    const where = network === null ? "any network" : SHOWN[network];
    const said = network === null ? Object.values(sender.reasons) : [sender.reasons[network] ?? ""];
    const why = [...new Set(said)].filter((reason) => reason !== "").map((reason) => reason.replace(/[.\s]+$/, ""));
    return fault(
      states.includes("pending")
        ? `"${name}" is not approved on ${where} yet. GET /sms/senders shows when it is; until then ${instead}.`
        : `"${name}" was refused on ${where}${why.length > 0 ? `: ${why.join("; ")}` : ""}. Register it again with better evidence, or ${instead}.`,
    );
  };
}

const fault = (detail: string): SmsFault => ({ pointer: "/from", code: "sender_not_approved", detail });

const SHOWN: Readonly<Record<Network, string>> = {
  mtn: "MTN",
  airtel: "Airtel",
  glo: "Glo",
  "9mobile": "9mobile (T2)",
};
