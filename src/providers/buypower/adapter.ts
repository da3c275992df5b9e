import type { Kobo } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { MeterAnswer, MeterQuery } from "../../ports/meter.ts";
import type { Outcome, ProbeAnswer, Provider, ProviderTask } from "../../ports/provider.ts";
import type { ElectricityPayload, PurchasePayload } from "../../ports/purchase-payload.ts";
import { readFields } from "../../vendor-text/fields.ts";
import { type AnswerPart, asText, type HttpOutcome, httpBytes } from "../http-call.ts";
import {
  HttpVendor,
  LEASE_OVER,
  NEVER_ASKED,
  NO_REFERENCE,
  NOT_SOLD,
  notSent,
  outcomeOfSent,
  type Sent,
} from "../http-vendor.ts";
import { accessOf, balanceIn } from "./access.ts";
import { readAvailability } from "./discos.ts";
import { outcomeOf, partOutcomeOf } from "./outcomes.ts";
import { makeOrderId } from "./reference.ts";
import { meterQuery, vendBody } from "./requests.ts";
import type { BuypowerSettings } from "./settings.ts";
import { codeOf } from "./statuses.ts";
import { readVerification } from "./verification.ts";
import { isSigned, SIGNATURE_HEADER } from "./wire/signature.ts";

type Task = ProviderTask<PurchasePayload>;

/** One account at BuyPower: electricity. It calls nobody back, so all that it knows later is asked for. */
export class BuypowerProvider extends HttpVendor<BuypowerSettings> implements Provider<PurchasePayload> {
  readonly billers = { electricity: () => this.#discos() };
  readonly verify = { meter: (query: MeterQuery) => this.#verifyMeter(query) };

  makeReference(task: Pick<Task, "orderId" | "attempt">): string {
    return makeOrderId(task);
  }

  async send(task: Task): Promise<Outcome> {
    const { reference, recipient, payload } = task;
    const disco = isElectricity(payload) ? this.settings.discoCodes.get(payload.disco) : undefined;
    if (!isElectricity(payload) || disco === undefined) return NOT_SOLD;
    if (reference === null) return NO_REFERENCE;
    if (!task.mayStillSend()) return LEASE_OVER;
    // strict=0: what takes longer is answered as in progress at once, and asked about later.
    const answer = await this.#call("POST", "vend?strict=0", vendBody(payload, { reference, meter: recipient, disco }));
    if (answer.kind === "not_sent") return notSent(answer.detail);
    return this.#judge("vend", { ...task, payload }, reference, answer);
  }

  async requery(task: Task): Promise<Outcome> {
    const { reference, payload } = task;
    if (reference === null || !isElectricity(payload)) return NEVER_ASKED;
    const answer = await this.#call("GET", `transaction/${encodeURIComponent(reference)}`);
    if (answer.kind === "not_sent") return { kind: "unknown", detail: answer.detail };
    return this.#judge("requery", { ...task, payload }, reference, answer);
  }

  async balance(): Promise<Kobo | undefined> {
    const answer = await this.#call("GET", "wallet/balance");
    return answer.kind === "answered" && answer.status === 200 ? readVendorNaira(balanceIn(answer.text)) : undefined;
  }

  protected async probe(): Promise<ProbeAnswer | undefined> {
    const outcome = await this.#request("GET", "wallet/balance", undefined, this.probeTimeoutMs);
    return accessOf(asText(outcome), this.#isOurs(outcome));
  }

  async #verifyMeter(query: MeterQuery): Promise<MeterAnswer> {
    const disco = this.settings.discoCodes.get(query.disco);
    if (disco === undefined) return { kind: "unavailable", detail: "This vendor does not sell for the disco." };
    const answer = await this.#call("GET", `check/meter?${meterQuery(query, disco)}`);
    return answer.kind === "answered"
      ? readVerification(query, answer.status, answer.text)
      : { kind: "unavailable", detail: answer.detail };
  }

  async #discos(): Promise<ReadonlyMap<string, boolean> | undefined> {
    const answer = await this.#call("GET", "discos/status");
    return answer.kind === "answered"
      ? readAvailability(this.settings.discoCodes, answer.status, answer.text)
      : undefined;
  }

  #judge(call: "vend" | "requery", task: ProviderTask<ElectricityPayload>, reference: string, sent: Sent): Outcome {
    const { recipient: meter, payload } = task;
    const attempt = { reference, meter, disco: this.settings.discoCodes.get(payload.disco), payload };
    const read = ({ status, text }: AnswerPart) => ({ call, status, text, ...attempt });
    const outcome = outcomeOfSent(sent, read, outcomeOf, partOutcomeOf);
    this.logUndecided(outcome, task, sent, (text) => codeOf(readFields(text) ?? {}), call);
    return outcome;
  }

  async #call(method: "GET" | "POST", path: string, body?: unknown): Promise<HttpOutcome> {
    const answer = await this.tracked(this.#request(method, path, body, this.settings.responseTimeoutMs));
    if (answer.kind !== "answered" || this.#isOurs(answer)) return asText(answer);
    return { kind: "unknown", detail: `HTTP ${answer.status} without the vendor's signature` };
  }

  /** A call that `stop` does not wait for. */
  #request(method: "GET" | "POST", path: string, body: unknown, timeoutMs: number) {
    const { baseUrl, token } = this.settings;
    return httpBytes(this.deps.fetch, {
      method,
      url: `${baseUrl}/v2/${path}`,
      headers: { authorization: `Bearer ${token}`, accept: "application/json", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    });
  }

  #isOurs(answer: HttpOutcome<{ readonly bytes: Buffer }>): boolean {
    const { token, checkSignature } = this.settings;
    if (answer.kind !== "answered" || !checkSignature) return true;
    return isSigned(answer.bytes, token, answer.headers.get(SIGNATURE_HEADER));
  }
}

const isElectricity = (payload: PurchasePayload): payload is ElectricityPayload => payload.product === "electricity";
