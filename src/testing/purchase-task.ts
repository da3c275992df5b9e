import { newUuid } from "../kernel/ids.ts";
import type { Outcome, Provider, ProviderDeps, ProviderSink, ProviderTask } from "../ports/provider.ts";
import type { PurchasePayload } from "../ports/purchase-payload.ts";

/** What a purchase gives to an adapter, by product, ready to be changed. */
export const PURCHASES = {
  airtime: { product: "airtime", network: "mtn", amount_kobo: "50000" },
  data: {
    product: "data",
    network: "mtn",
    plan: {
      id: "mtn-1gb-30d",
      code: "mtn-data:mtn-data-1gb-30d",
      provider: "vendor",
      name: "1GB - 30 days",
      cost_kobo: "50000",
    },
  },
  electricity: {
    product: "electricity",
    disco: "ikeja-electric",
    meter_type: "prepaid",
    amount_kobo: "500000",
    phone: "2348031234567",
    customer: { name: "TEST CUSTOMER 0001", address: null },
  },
  cable: {
    product: "cable",
    kind: "renew",
    tv_provider: "dstv",
    amount_kobo: "50000",
    phone: "2348031234567",
    customer: { name: "TEST SUBSCRIBER 0001" },
  },
} as const satisfies Record<string, PurchasePayload>;

/** A first attempt with the reference that the provider makes for it. */
export function purchaseTask<Payload extends PurchasePayload>(
  provider: Pick<Provider<PurchasePayload>, "makeReference">,
  payload: Payload,
  recipient: string,
  at = new Date(),
): ProviderTask<Payload> {
  const orderId = newUuid();
  const attempt = 1;
  return {
    orderId,
    service: payload.product === "data" ? "airtime" : payload.product,
    mode: "test",
    attempt,
    recipient,
    payload,
    reference: provider.makeReference?.({ orderId, attempt }, at) ?? null,
    expiresAt: null,
    mayStillSend: () => true,
  };
}

/** Remembers what the provider tells of its own accord. */
export class RecordingSink implements ProviderSink {
  readonly hints: string[] = [];
  /** Those of the hints that are the vendor's own word for certain. */
  readonly known: string[] = [];
  planChanges = 0;

  async report(): Promise<void> {}
  async inbound(): Promise<void> {}
  async hint(reference: string, isKnown = false): Promise<void> {
    this.hints.push(reference);
    if (isKnown) this.known.push(reference);
  }
  plansChanged(): void {
    this.planChanges += 1;
  }
  readinessChanged(): void {}
}

const quiet = () => undefined;

export const TEST_DEPS: ProviderDeps = {
  clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  fetch,
};

/** An outcome in a word, for tables: `done`, `rejected order invalid_number`, `incomplete` … */
export const inAWord = (outcome: Outcome): string => {
  if (outcome.kind === "rejected")
    return `rejected ${outcome.scope} ${outcome.code}${outcome.alarm === undefined ? "" : " alarm"}`;
  return outcome.kind === "accepted" && outcome.incomplete ? "incomplete" : outcome.kind;
};
