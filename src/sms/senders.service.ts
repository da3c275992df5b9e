import type { Actor } from "../accounts/audit.repo.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { listSenders, requestSender, sendersOf } from "./senders.repo.ts";
import { ANY_SENDER, approvedSenders, type Sender, type SenderClass, type SenderRule, senderKey } from "./senders.ts";
import { parseSender } from "./sms.ts";

export interface NewSender {
  readonly sender: string;
  readonly class: SenderClass;
  readonly evidence?: string;
}

interface Whose {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

export interface Senders {
  /** What the caller's messages may leave under. From memory for a few seconds: a send must not cost a query. */
  ruleFor(caller: Whose): Promise<SenderRule>;
  register(
    caller: Whose,
    request: NewSender,
    actor: Actor,
  ): Promise<Result<{ readonly sender: Sender; readonly isNew: boolean }>>;
  list(caller: Whose, beforeId: Uuid | undefined, limit: number): Promise<readonly Sender[]>;
  /** Forgets what is in memory, e.g. when told that the operator has decided. */
  forget(): void;
}

export interface SendersOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly defaultSender: string;
  /** Senders that every account may use, besides the default one. */
  readonly openSenders: readonly string[];
}

/** An approval counts on every node within this time. */
const REMEMBERED_MS = 4_000;
const ACCOUNTS_REMEMBERED_MAX = 10_000;

export function makeSenders({ db, clock, defaultSender, openSenders }: SendersOptions): Senders {
  const open = { keys: new Set([defaultSender, ...openSenders].map(keyOf)), example: defaultSender };
  const rules = new Map<Uuid, { readonly rule: Promise<SenderRule>; readonly staleAtMs: number }>();

  return {
    async ruleFor({ accountId, mode }) {
      if (mode === "test") return ANY_SENDER;
      const nowMs = clock.monotonicMs();
      const known = rules.get(accountId);
      if (known && known.staleAtMs > nowMs) return known.rule;
      if (rules.size >= ACCOUNTS_REMEMBERED_MAX) rules.clear();
      const rule = sendersOf(db, accountId, mode).then((own) => approvedSenders(own, open));
      const entry = { rule, staleAtMs: nowMs + REMEMBERED_MS };
      rules.set(accountId, entry);
      // A database that is away is not remembered.
      rule.catch(() => {
        if (rules.get(accountId) === entry) rules.delete(accountId);
      });
      return rule;
    },

    async register(caller, request, actor) {
      const name = parseSender(request.sender);
      if (!name.ok) {
        const fault = { ...name.error, pointer: "/sender" };
        return refuse(refusal("validation_failed", fault.detail, { errors: [fault] }));
      }
      const { class: senderClass, evidence } = request;
      const at = clock.now();
      const kept = await requestSender(db, { ...caller, name: name.value, class: senderClass, evidence, actor, at });
      rules.delete(caller.accountId); // this node knows at once
      return kept ? ok(kept) : refuse(FULL);
    },

    list: ({ accountId, mode }, beforeId, limit) => listSenders(db, { accountId, mode, beforeId, limit }),
    forget: () => rules.clear(),
  };
}

const FULL = refusal(
  "invalid_state",
  "The account has 100 senders, which is the most it may have. Use one of them: GET /sms/senders shows all.",
);

/** Senders of the configuration come in any form that `from` takes. */
function keyOf(name: string): string {
  const parsed = parseSender(name);
  return senderKey(parsed.ok ? parsed.value : name);
}
