import { makeRareWarnings, type RareWarning } from "../../kernel/rare-warnings.ts";
import type {
  Contact,
  Outcome,
  ProbeAnswer,
  Provider,
  ProviderDeps,
  ProviderSink,
  ProviderTask,
} from "../../ports/provider.ts";
import type { SmsPayload } from "../../ports/sms-payload.ts";
import { ContactRecord, PROBE_MS } from "../access-probe.ts";
import { BindLink } from "./bind-link.ts";
import { BindPool } from "./bind-pool.ts";
import { ConcatReferences } from "./concat-references.ts";
import { InboundAssembler } from "./inbound.ts";
import { normaliseMessageId } from "./message-id.ts";
import { outcomeOfStatus } from "./outcomes.ts";
import { RateLimit } from "./rate.ts";
import { Receipts } from "./receipts.ts";
import { isReceipt, readsLikeReceipt } from "./report.ts";
import type { Delivery, OddPdu, SubmitDraft } from "./session.ts";
import type { SmppSettings } from "./settings.ts";
import { encodeParts, submitOf } from "./submit.ts";
import type { SubmitAnswer } from "./submit-answer.ts";
import { COMMAND_STATUS } from "./wire/status.ts";

/** Maximum wait of a submit for a window slot, after which it is throttled; with the response timeout it bounds one `send`. */
const SLOT_WAIT_MS_MAX = 5_000;

/** Interval of updating the time at which a bind was last up. */
const REACHED_EVERY_MS = 60_000;

/** One SMSC: its binds, submits, receipts and incoming messages. */
export class SmppProvider implements Provider<SmsPayload> {
  readonly name: string;
  readonly answerWithinMs: number;
  readonly #settings: SmppSettings;
  readonly #deps: ProviderDeps;
  readonly #links: readonly BindLink[];
  readonly #pool: BindPool;
  readonly #warn: RareWarning;
  readonly #references: ConcatReferences;
  /**
   * Whether long texts may go as message_payload. Once a bind had no optional parameters it stays false until the next start: a message
   * under way must not change its number of parts.
   */
  #takesPayload: boolean;
  #sink: ProviderSink | null = null;
  #inbound: InboundAssembler | null = null;
  #receipts: Receipts | null = null;
  #wasReady = false;
  /** Without a log: each bind logs its own changes. */
  readonly #record: ContactRecord;
  #startedAtMs = 0;
  #stopped: Promise<void> | null = null;

  constructor(name: string, settings: SmppSettings, deps: ProviderDeps) {
    this.name = name;
    this.#settings = settings;
    this.#deps = deps;
    this.#record = new ContactRecord(name, deps.clock);
    this.#warn = makeRareWarnings(deps.log, deps.clock);
    const kinds =
      settings.bindMode === "transceiver" ? (["transceiver"] as const) : (["transmitter", "receiver"] as const);
    this.#references = new ConcatReferences(settings.longMessages === "udh16" ? 16 : 8);
    this.#takesPayload = settings.optionalParameters !== "never";
    const events = {
      changed: () => this.#changed(),
      delivered: (delivery: Delivery) => this.#delivered(delivery),
      odd: (what: OddPdu) =>
        this.#warn(
          `odd ${what.command}`,
          { provider: name, ...what },
          "the SMSC sent a PDU that is not as it should be",
        ),
    };
    this.#links = kinds.flatMap((kind) =>
      Array.from(
        { length: settings.binds },
        (_, index) => new BindLink(settings, kind, `${name}/${kind}/${index + 1}`, events, deps),
      ),
    );
    const rate =
      settings.ratePerSecond === null ? null : new RateLimit(settings.ratePerSecond, () => deps.clock.monotonicMs());
    const slots = settings.binds * settings.windowSize;
    const slotWaitMs = Math.min(settings.responseTimeoutMs / 2, SLOT_WAIT_MS_MAX);
    this.answerWithinMs = settings.responseTimeoutMs + slotWaitMs;
    this.#pool = new BindPool(
      this.#links.filter((link) => link.maySubmit),
      rate,
      slots,
      slotWaitMs,
    );
  }

  async start(sink: ProviderSink): Promise<void> {
    const { clock } = this.#deps;
    const settings = this.#settings;
    this.#sink = sink;
    this.#inbound = new InboundAssembler(sink, clock, settings.defaultAlphabet, settings.joinInboundMs);
    const warn: RareWarning = (kind, fields, message) => this.#warn(kind, { provider: this.name, ...fields }, message);
    this.#receipts = new Receipts({ sink, clock, settings, warn });
    this.#startedAtMs = clock.monotonicMs();
    for (const link of this.#links) link.start();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#pool.stop();
    await Promise.all([this.#inbound?.stop(), this.#receipts?.stop()]);
    await Promise.all(this.#links.map((link) => link.stop()));
  }

  ready(): boolean {
    return this.#pool.isBound();
  }

  whyNotReady(): string | undefined {
    if (this.ready()) return undefined;
    return this.#links.find((link) => link.maySubmit && link.trouble !== undefined)?.trouble;
  }

  /** The bind itself is the probe: it is re-established whenever it is lost. */
  contact(): Contact {
    const answer = this.#answerOfBinds();
    if (answer) this.#record.update(answer);
    return this.#record.contact;
  }

  #answerOfBinds(): ProbeAnswer | undefined {
    const { clock } = this.#deps;
    if (this.ready()) {
      const { state, reachedAt } = this.#record.contact;
      const isFresh = reachedAt !== null && clock.now().getTime() - reachedAt.getTime() < REACHED_EVERY_MS;
      return state === "reached" && isFresh ? undefined : { kind: "reached" };
    }
    const link = this.#links.find(({ maySubmit, trouble }) => maySubmit && trouble !== undefined);
    if (link?.trouble !== undefined) return { kind: link.isRefused ? "refused" : "not_reached", detail: link.trouble };
    // It connects, or is connected to somebody who does not speak.
    const isSilent = clock.monotonicMs() - this.#startedAtMs > PROBE_MS;
    return isSilent && this.#record.contact.state === "asking"
      ? { kind: "not_reached", detail: `no answer to a bind within ${PROBE_MS} ms` }
      : undefined;
  }

  pieceCount(task: ProviderTask<SmsPayload>): number {
    return encodeParts(task.payload, this.#effectiveSettings()).parts.length;
  }

  /** The settings, without features that the binds have ruled out. */
  #effectiveSettings(): SmppSettings {
    const { longMessages } = this.#settings;
    if (longMessages !== "message_payload" || this.#takesPayload) return this.#settings;
    return { ...this.#settings, longMessages: "udh8" };
  }

  async send(task: ProviderTask<SmsPayload>, piece: number): Promise<Outcome> {
    const settings = this.#effectiveSettings();
    const draftWith = (using: SmppSettings) =>
      submitOf(task, piece, using, this.#deps.clock.now(), () => this.#references.of(task));
    const submit = draftWith(settings);
    if (!submit.ok) return { kind: "rejected", scope: "order", ...submit.error };
    const plain = () => plainDraft(task, settings, draftWith);
    const answer = await this.#pool.submit(
      submit.value,
      () => task.mayStillSend(),
      (late) => task.answeredLate?.(piece, this.#outcomeOf(late, task, piece)),
      plain,
    );
    return this.#outcomeOf(answer, task, piece);
  }

  #outcomeOf(answer: SubmitAnswer, task: ProviderTask<SmsPayload>, piece: number): Outcome {
    switch (answer.kind) {
      case "lost":
        return { kind: "unknown", detail: answer.detail };
      case "unwritable":
        return { kind: "rejected", scope: "route", code: "route_misconfigured", detail: answer.detail };
      case "not_sent": {
        const retryAfterMs = answer.mayRetryAtOnce ? 0 : this.#settings.retryAfterMs;
        return { kind: "throttled", retryAfterMs, detail: answer.detail };
      }
      case "answered":
        if (answer.status !== COMMAND_STATUS.ROK.code) {
          return outcomeOfStatus(answer.status, this.#settings.statusMap, this.#settings.retryAfterMs);
        }
        if (answer.messageId.trim() === "") {
          // An acceptance all the same: calling it unclear would send the message twice.
          this.#deps.log.warn({ orderId: task.orderId, piece }, "the SMSC accepted a message without naming it");
          return { kind: "accepted" };
        }
        return {
          kind: "accepted",
          providerReference: normaliseMessageId(answer.messageId, this.#settings.messageIds.submit),
        };
    }
  }

  /** The command_status of the answer. A rejection (the database is unavailable) becomes RX_T_APPN in the session. */
  async #delivered(delivery: Delivery): Promise<number> {
    if (this.#inbound === null || this.#receipts === null) return COMMAND_STATUS.RX_T_APPN.code;
    if (!isReceipt(delivery)) {
      if (readsLikeReceipt(delivery)) {
        this.#warn(
          "like a receipt",
          { provider: this.name, esmClass: delivery.esm_class },
          "a handset's message reads like a receipt; if it is one, the SMSC has to say so in esm_class",
        );
      }
      await this.#inbound.receive(delivery);
      return COMMAND_STATUS.ROK.code;
    }
    await this.#receipts.receive(delivery);
    return COMMAND_STATUS.ROK.code;
  }

  #changed(): void {
    this.#applyOptionalParameters();
    this.#pool.serve();
    const isReady = this.ready();
    if (isReady === this.#wasReady) return;
    this.#wasReady = isReady;
    this.#sink?.readinessChanged();
  }

  #applyOptionalParameters(): void {
    if (
      !this.#takesPayload ||
      this.#links.every(({ maySubmit, session }) => !maySubmit || session?.takesTlvs !== false)
    )
      return;
    this.#takesPayload = false;
    if (this.#settings.longMessages !== "message_payload") return;
    this.#deps.log.warn(
      { provider: this.name },
      'the SMSC takes no optional parameters: long texts go in parts until the next start; if it takes message_payload all the same, set optionalParameters to "always"',
    );
  }
}

/** The same piece without optional parameters; undefined if the text would then need another number of parts. */
function plainDraft(
  { payload }: ProviderTask<SmsPayload>,
  settings: SmppSettings,
  draftWith: (settings: SmppSettings) => ReturnType<typeof submitOf>,
): SubmitDraft | undefined {
  const without: SmppSettings = { ...settings, optionalParameters: "never" };
  if (encodeParts(payload, without).parts.length !== encodeParts(payload, settings).parts.length) return undefined;
  const draft = draftWith(without);
  return draft.ok ? draft.value : undefined;
}
