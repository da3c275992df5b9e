import type { Actor } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { NETWORKS, parseNetwork } from "../kernel/networks.ts";
import { accountsApprovedFor, decideSender, listSendersOfAnyAccount } from "../sms/senders.repo.ts";
import type { Sender } from "../sms/senders.ts";
import { parseSender } from "../sms/sms.ts";
import { ofAccount } from "./account-argument.ts";
import { CannotRun, type Report, tableWithNotes } from "./report.ts";

const view = (accountId: Uuid, sender: Sender) => ({
  account: encodeId("acc", accountId),
  sender: sender.name,
  class: sender.class,
  networks: sender.networks,
  reasons: sender.reasons,
  evidence: sender.evidence,
  updated_at: sender.updatedAt.toISOString(),
});

const networksText = ({ networks, reasons }: Pick<Sender, "networks" | "reasons">): string =>
  NETWORKS.map((network) => {
    const why = reasons[network];
    return `${network} ${networks[network]}${why === undefined ? "" : ` (${why})`}`;
  }).join(", ");

/** The reason is one line of an answer. */
const REASON_MAX = 300;

function reasonOf(given: string | undefined): string | undefined {
  const reason = given?.replace(/\s+/g, " ").trim();
  if (reason !== undefined && reason.length > REASON_MAX)
    throw new CannotRun(`--reason has ${reason.length} characters; the maximum is ${REASON_MAX}`);
  return reason === "" ? undefined : reason;
}

/** Live senders. Test senders need no approval. */
export const sendersList = (db: Db, accountId: Uuid | undefined): Promise<Report> =>
  ofAccount(db, accountId, () => list(db, accountId));

async function list(db: Db, accountId: Uuid | undefined): Promise<Report> {
  const senders = await listSendersOfAnyAccount(db, accountId);
  const shown = senders.map((sender) => view(sender.accountId, sender));
  return {
    ok: true,
    json: { senders: shown },
    text:
      shown.length === 0
        ? "No sender of live messages is registered. Senders registered with a test key are approved automatically and not listed here."
        : tableWithNotes(
            ["ACCOUNT", "SENDER", "CLASS"],
            shown.map((row) => ({
              cells: [row.account, row.sender, row.class],
              notes: [networksText(row), row.evidence ?? ""],
            })),
          ),
  };
}

export interface Decision {
  readonly accountId: Uuid;
  readonly sender: string;
  /** A network's name, or `all`. */
  readonly network: string;
  readonly approval: "approved" | "refused";
  readonly reason: string | undefined;
}

/** Approves or refuses one account's sender on one network or all. It takes effect on every node within five seconds. */
export async function sendersDecide(db: Database, clock: Clock, actor: Actor, decision: Decision): Promise<Report> {
  const { accountId, approval } = decision;
  const reason = reasonOf(decision.reason);
  const name = parseSender(decision.sender);
  if (!name.ok) throw new CannotRun(name.error.detail);
  const one = parseNetwork(decision.network);
  const networks = decision.network === "all" ? NETWORKS : one ? [one] : undefined;
  if (!networks) throw new CannotRun(`"${decision.network}" is not a network; give ${NETWORKS.join(", ")} or all`);
  const at = clock.now();
  const sender = await decideSender(db, { accountId, name: name.value, networks, approval, actor, reason, at });
  if (!sender) {
    const account = encodeId("acc", accountId);
    const text = `${account} has not registered "${decision.sender}" in live mode; see ./afara senders list.`;
    return { ok: false, json: { ok: false, account, sender: decision.sender }, text };
  }
  const others = (await accountsApprovedFor(db, name.value, accountId)).map((id) => encodeId("acc", id));
  const shared =
    others.length > 0 ? `\nAlso approved for ${others.join(", ")}: check that the name is theirs as well.` : "";
  return {
    ok: true,
    json: { ok: true, ...view(accountId, sender), also_approved_for: others },
    text: `"${sender.name}": ${networksText(sender)}.${approval === "approved" ? shared : ""}`,
  };
}
