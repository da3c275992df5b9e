import type { Kobo } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import { isTvProvider } from "../../ports/cable-payload.ts";
import type { MeterQuery } from "../../ports/meter.ts";
import type {
  CallbackAnswer,
  CallbackGate,
  CallbackRequest,
  Outcome,
  ProbeAnswer,
  Provider,
  ProviderTask,
  VendorPlan,
} from "../../ports/provider.ts";
import type { PurchasePayload } from "../../ports/purchase-payload.ts";
import type { SmartcardQuery } from "../../ports/smartcard.ts";
import type { Unavailable } from "../../ports/verified.ts";
import { fieldsOf, readFields, textOf } from "../../vendor-text/fields.ts";
import { type AnswerPart, type HttpOutcome, httpCall } from "../http-call.ts";
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
import { accessOf } from "./access.ts";
import { gateFor, takeCallback } from "./callback.ts";
import { outcomeOf, partOutcomeOf } from "./outcomes.ts";
import { type PlanServices, readPlans, readServices } from "./plans.ts";
import { TV_CATEGORY, TV_SERVICES } from "./products/cable.ts";
import { DATA_SERVICES } from "./products/data.ts";
import { DISCO_CATEGORY, isDiscoService } from "./products/electricity.ts";
import { METER } from "./products/meter.ts";
import { SMARTCARD } from "./products/smartcard.ts";
import { isSold } from "./products.ts";
import { makeRequestId } from "./reference.ts";
import { payBody } from "./requests.ts";
import type { VtpassSettings } from "./settings.ts";
import type { Verification } from "./verification.ts";

/** No attempt of ours has had this reference: its first twelve digits are a minute before there was a gateway. */
const NEVER_BOUGHT = "202001010000afaraprobe";

type Task = ProviderTask<PurchasePayload>;

/** One account at VTpass: each product of `products.ts`. */
export class VtpassProvider extends HttpVendor<VtpassSettings> implements Provider<PurchasePayload> {
  readonly plans = {
    data: () => this.#plansOf(DATA_SERVICES),
    cable: () => this.#plansOf(TV_SERVICES),
  };
  readonly billers = {
    electricity: () => this.#billersOf(DISCO_CATEGORY, isDiscoService),
    cable: () => this.#billersOf(TV_CATEGORY, isTvProvider),
  };
  readonly verify = {
    meter: (query: MeterQuery) => this.#verify(METER, query),
    smartcard: (query: SmartcardQuery) => this.#verify(SMARTCARD, query),
  };

  makeReference(task: Pick<Task, "orderId" | "attempt">, at: Date): string {
    return makeRequestId(task, at);
  }

  async send(task: Task): Promise<Outcome> {
    const { reference, recipient, payload } = task;
    if (reference === null) return NO_REFERENCE;
    if (!isSold(payload)) return NOT_SOLD;
    if (!task.mayStillSend()) return LEASE_OVER;
    const answer = await this.#post("pay", payBody({ reference, recipient, payload }));
    if (answer.kind === "not_sent") return notSent(answer.detail);
    const outcome = this.#judge("pay", task, reference, answer);
    if (outcome.kind === "rejected" && outcome.code === "plan_not_found") this.sink?.plansChanged();
    return outcome;
  }

  async requery(task: Task): Promise<Outcome> {
    const { reference, payload } = task;
    if (reference === null) return { kind: "unknown", detail: "no reference was committed" };
    if (!isSold(payload)) return NEVER_ASKED;
    const answer = await this.#post("requery", { request_id: reference });
    if (answer.kind === "not_sent") return { kind: "unknown", detail: answer.detail };
    return this.#judge("requery", task, reference, answer);
  }

  async balance(): Promise<Kobo | undefined> {
    const answer = await this.#get("balance");
    const body = answer.kind === "answered" && answer.status === 200 ? readFields(answer.text) : undefined;
    return readVendorNaira(fieldsOf(body?.contents).balance);
  }

  get callbackGate(): CallbackGate {
    return gateFor(this.settings.callbackSecret);
  }

  async callback(request: CallbackRequest): Promise<CallbackAnswer> {
    return this.receive((sink) => takeCallback(request, this.settings.callbackSecret, sink));
  }

  /** The balance shows the public key, and a requery of what was never bought the secret one. */
  protected async probe(): Promise<ProbeAnswer | undefined> {
    const limitMs = this.probeTimeoutMs;
    const { publicKey, secretKey } = this.settings;
    const said = await Promise.all([
      this.#request("GET", "balance", { "public-key": publicKey }, undefined, limitMs),
      this.#request(
        "POST",
        "requery",
        { "secret-key": secretKey },
        JSON.stringify({ request_id: NEVER_BOUGHT }),
        limitMs,
      ),
    ]);
    const answers = said.map((outcome, index) => accessOf(index === 0 ? "balance" : "requery", outcome));
    return (
      answers.find((answer) => answer?.kind === "refused") ??
      answers.find((answer) => answer?.kind !== "reached") ??
      answers[0]
    );
  }

  async #plansOf(services: PlanServices): Promise<readonly VendorPlan[] | undefined> {
    const lists = await Promise.all(
      services.map(async ([serviceId, group]) => {
        const answer = await this.#get(`service-variations?serviceID=${serviceId}`);
        return answer.kind === "answered" ? readPlans(serviceId, group, answer.status, answer.text) : undefined;
      }),
    );
    // A list that is missing would look like plans that are gone.
    return lists.some((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);
  }

  /** Those of a category's services that are ours, which the vendor sells as long as it lists them. */
  async #billersOf(
    category: string,
    isOurs: (serviceId: string) => boolean,
  ): Promise<ReadonlyMap<string, boolean> | undefined> {
    const answer = await this.#get(`services?identifier=${category}`);
    const services = answer.kind === "answered" ? readServices(answer.status, answer.text) : undefined;
    return services && new Map([...services].filter(isOurs).map((serviceId) => [serviceId, true]));
  }

  async #verify<Query, Answer>(verification: Verification<Query, Answer>, query: Query): Promise<Answer | Unavailable> {
    const body = verification.body(query);
    if (!body) return { kind: "unavailable", detail: verification.notSold };
    const answer = await this.#post("merchant-verify", body);
    return answer.kind === "answered"
      ? verification.read(query, answer.status, answer.text)
      : { kind: "unavailable", detail: answer.detail };
  }

  #judge(call: "pay" | "requery", task: Task, reference: string, sent: Sent): Outcome {
    const { recipient, payload } = task;
    const attempt = { reference, recipient, payload, duplicateWaitMs: this.settings.duplicateWaitMs };
    const read = ({ status, text }: AnswerPart) => ({ call, status, text, ...attempt });
    const outcome = outcomeOfSent(sent, read, outcomeOf, partOutcomeOf);
    this.logUndecided(outcome, task, sent, codeIn, call);
    return outcome;
  }

  #get(path: string): Promise<HttpOutcome> {
    return this.#call("GET", path, { "public-key": this.settings.publicKey });
  }

  #post(path: string, body: unknown): Promise<HttpOutcome> {
    return this.#call("POST", path, { "secret-key": this.settings.secretKey }, JSON.stringify(body));
  }

  #call(
    method: "GET" | "POST",
    path: string,
    key: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<HttpOutcome> {
    return this.tracked(this.#request(method, path, key, body, this.settings.responseTimeoutMs));
  }

  /** A call that `stop` does not wait for. */
  #request(
    method: "GET" | "POST",
    path: string,
    key: Readonly<Record<string, string>>,
    body: string | undefined,
    timeoutMs: number,
  ): Promise<HttpOutcome> {
    const { baseUrl, apiKey } = this.settings;
    return httpCall(this.deps.fetch, {
      method,
      url: `${baseUrl}/api/${path}`,
      headers: { "api-key": apiKey, ...key, accept: "application/json", "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
      timeoutMs,
    });
  }
}

const codeIn = (text: string): string | undefined => textOf(readFields(text) ?? {}, ["code"]);
