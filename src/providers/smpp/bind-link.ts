import { randomInt } from "node:crypto";
import type { ProviderDeps } from "../../ports/provider.ts";
import { backoffMs, credentialsBackoffMs } from "./backoff.ts";
import {
  type BindKind,
  type CloseReason,
  type Delivery,
  type OddPdu,
  Session,
  type SessionSettings,
} from "./session.ts";
import { COMMAND_STATUS, describeStatus } from "./wire/status.ts";

export interface LinkSettings extends SessionSettings {
  /** Bounds of the back-off between connection attempts. */
  readonly reconnectMinMs: number;
  readonly reconnectMaxMs: number;
}

export interface LinkEvents {
  /** Called when it is bound, no longer bound, or a slot became free. */
  changed(): void;
  delivered(delivery: Delivery): Promise<number>;
  odd(what: OddPdu): void;
}

/** A session of at least this length resets the back-off. */
const STABLE_MS = 10_000;

const CREDENTIAL_REFUSALS: ReadonlySet<number> = new Set([
  COMMAND_STATUS.RINVPASWD.code,
  COMMAND_STATUS.RINVSYSID.code,
]);

/** Keeps one bind up, with a new session whenever the last one has ended. */
export class BindLink {
  readonly #settings: LinkSettings;
  readonly #kind: BindKind;
  readonly #label: string;
  readonly #events: LinkEvents;
  readonly #deps: ProviderDeps;
  #session: Session | null = null;
  #failures = 0;
  #trouble: string | undefined;
  #isRefused = false;
  /** The last logged failure: a persistent failure is logged once. */
  #written: string | undefined;
  #boundAtMs: number | null = null;
  #retryTimer: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(settings: LinkSettings, kind: BindKind, label: string, events: LinkEvents, deps: ProviderDeps) {
    this.#settings = settings;
    this.#kind = kind;
    this.#label = label;
    this.#events = events;
    this.#deps = deps;
  }

  get maySubmit(): boolean {
    return this.#kind !== "receiver";
  }

  /** The session while it is bound. */
  get session(): Session | null {
    return this.#session?.isBound ? this.#session : null;
  }

  /** Why the last session ended or failed to bind; undefined while one is bound. */
  get trouble(): string | undefined {
    return this.#trouble ?? this.#session?.trouble;
  }

  /** Whether the SMSC itself refused the last bind. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  start(): void {
    if (this.#session !== null || this.#stopping) return;
    this.#session = new Session(
      this.#settings,
      this.#kind,
      {
        bound: () => this.#bound(),
        closed: (reason) => this.#closed(reason),
        roomChanged: () => this.#events.changed(),
        delivered: (delivery) => this.#events.delivered(delivery),
        odd: (what) => this.#events.odd(what),
      },
      this.#deps.log,
    );
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#retryTimer);
    await this.#session?.close();
  }

  #bound(): void {
    this.#boundAtMs = this.#deps.clock.monotonicMs();
    this.#trouble = undefined;
    this.#isRefused = false;
    this.#written = undefined;
    const optionalParameters = this.#session?.takesTlvs ? "sent" : "not sent";
    this.#deps.log.info({ bind: this.#label, optionalParameters }, "bound to the SMSC");
    this.#events.changed();
  }

  #closed(reason: CloseReason): void {
    this.#session = null;
    const livedMs = this.#boundAtMs === null ? 0 : this.#deps.clock.monotonicMs() - this.#boundAtMs;
    this.#boundAtMs = null;
    if (this.#stopping) {
      this.#events.changed();
      return;
    }
    this.#failures = livedMs >= STABLE_MS ? 1 : this.#failures + 1;
    this.#isRefused = reason.kind === "refused";
    const retryInMs = this.#logAndDelay(reason);
    this.#events.changed();
    this.#retryTimer = setTimeout(() => this.start(), retryInMs);
  }

  #logAndDelay(reason: CloseReason): number {
    const random = randomInt(2 ** 32) / 2 ** 32;
    const fields = { bind: this.#label, failures: this.#failures };
    if (reason.kind === "refused" && CREDENTIAL_REFUSALS.has(reason.status)) {
      const retryInMs = credentialsBackoffMs(random);
      const status = describeStatus(reason.status);
      this.#trouble = `credentials refused: ${status}`;
      this.#write(
        "error",
        { ...fields, status, retryInMs },
        "the SMSC refuses the credentials: check systemId and password, then restart; retrying can lock the account",
      );
      return retryInMs;
    }
    const detail =
      reason.kind === "refused" ? `bind refused: ${describeStatus(reason.status)}` : inWords(reason.detail);
    this.#trouble = detail;
    const retryInMs = backoffMs(this.#failures, this.#settings.reconnectMinMs, this.#settings.reconnectMaxMs, random);
    this.#write("warn", { ...fields, detail, retryInMs }, "no bind to the SMSC; trying again");
    return retryInMs;
  }

  #write(level: "warn" | "error", fields: object, message: string): void {
    this.#deps.log[this.#written === this.#trouble ? "debug" : level](fields, message);
    this.#written = this.#trouble;
  }
}

/** Replaces OpenSSL's messages, which name its source files, with advice for the most common fault of a first connection. */
function inWords(detail: string): string {
  if (/wrong version number|packet length too long/.test(detail))
    return "the SMSC does not speak TLS on this port: set tls to false, or ask for its TLS port";
  return detail.replace(/^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:/, "TLS: ").replace(/:[^:]*\.c:\d+:$/, "");
}
