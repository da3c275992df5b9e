import type { Clock } from "../../kernel/clock.ts";
import { newUuid } from "../../kernel/ids.ts";
import type { Log } from "../../kernel/log.ts";
import { segmentText } from "../../kernel/segments.ts";
import type { InboundMessage, Provider, ProviderReport, ProviderSink, ProviderTask } from "../../ports/provider.ts";
import type { SmsPayload } from "../../ports/sms-payload.ts";
import { smpp } from "./index.ts";
import { readSettings, type SmppSettings } from "./settings.ts";

/** For tests: what an adapter needs around it. */

export const REAL_CLOCK: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };

export const SILENT_LOG: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Resolves when the condition holds; fails after ten seconds, naming what it waited for. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Settings with short times, the rest as an operator gets them. */
export const testSettings = (port: number, more: object = {}): object => ({
  host: "127.0.0.1",
  port,
  systemId: "afara",
  password: "secret",
  responseTimeoutMs: 1_000,
  bindTimeoutMs: 2_000,
  reconnectMinMs: 10,
  reconnectMaxMs: 50,
  ...more,
});

export function checkedSettings(more: object = {}): SmppSettings {
  const settings = readSettings(testSettings(2775, more));
  if (!settings.ok) throw new Error(settings.error.join("; "));
  return settings.value;
}

export class RecordingSink implements ProviderSink {
  readonly reports: ProviderReport[] = [];
  readonly inbounds: InboundMessage[] = [];
  readinessChanges = 0;
  /** Runs before anything is recorded, as a commit does: may wait, may fail. */
  commit: () => Promise<void> = async () => {};

  async report(report: ProviderReport): Promise<void> {
    await this.commit();
    this.reports.push(report);
  }

  async inbound(message: InboundMessage): Promise<void> {
    await this.commit();
    this.inbounds.push(message);
  }

  async hint(): Promise<void> {}

  plansChanged(): void {}

  readinessChanged(): void {
    this.readinessChanges += 1;
  }
}

export function buildProvider(settings: object, log: Log = SILENT_LOG): Provider<SmsPayload> {
  const built = smpp.build("test-smsc", settings, { clock: REAL_CLOCK, log, fetch });
  if (!built.ok) throw new Error(built.error.join("; "));
  return built.value;
}

export function smsTask(text: string, more: Partial<ProviderTask<SmsPayload>> & { readonly from?: string } = {}) {
  const { from = "Afara", ...fields } = more;
  const { encoding, segments } = segmentText(text.normalize("NFC"));
  const task: ProviderTask<SmsPayload> = {
    orderId: newUuid(),
    service: "sms",
    mode: "test",
    attempt: 1,
    reference: null,
    recipient: "2348031234567",
    payload: { from, text, encoding, segments, route: "transactional" },
    expiresAt: null,
    mayStillSend: () => true,
    ...fields,
  };
  return task;
}
