import type { Kobo } from "../../kernel/kobo.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type {
  Contact,
  MeterAnswer,
  MeterQuery,
  Outcome,
  ProbeAnswer,
  Provider,
  ProviderDeps,
  ProviderSink,
  ProviderTask,
} from "../../ports/provider.ts";
import type { ElectricityPayload, PurchasePayload } from "../../ports/purchase-payload.ts";
import { fieldsOf, readFields, textOf } from "../../vendor-text/fields.ts";
import { type AccessProbe, makeAccessProbe, otherAnswer, PROBE_MS, strayAnswer } from "../access-probe.ts";
import { type AnswerPart, asText, type HttpOutcome, httpBytes, loggedAnswer } from "../http-call.ts";
import { readAvailability } from "./discos.ts";
import { type Answered, outcomeOf, partOutcomeOf } from "./outcomes.ts";
import { makeOrderId, meterQuery, vendBody } from "./requests.ts";
import type { BuypowerSettings } from "./settings.ts";
import { isSigned } from "./signature.ts";
import { codeOf, refusalOfAccess } from "./statuses.ts";
import { readVerification } from "./verification.ts";

/** After a call that certainly did not leave: the vendor's host is away, or our network is. */
const NOT_SENT_RETRY_MS = 1_000;

type Task = ProviderTask<PurchasePayload>;

/** One account at BuyPower: electricity. It calls nobody back, so all that it knows later is asked for. */
export class BuypowerProvider implements Provider<PurchasePayload> {
  readonly name: string;
  readonly answerWithinMs: number;
  readonly #settings: BuypowerSettings;
  readonly #deps: ProviderDeps;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #access: AccessProbe;
  #isStarted = false;

  constructor(name: string, settings: BuypowerSettings, deps: ProviderDeps) {
    this.name = name;
    this.#settings = settings;
    this.#deps = deps;
    this.answerWithinMs = settings.responseTimeoutMs;
    this.#access = makeAccessProbe({ provider: name, ask: () => this.#probe(), ...deps });
  }

  async start(sink: ProviderSink): Promise<void> {
    this.#isStarted = true;
    this.#access.start(() => sink.readinessChanged());
    sink.readinessChanged();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#access.stop();
    await Promise.allSettled(this.#underWay);
  }

  /** There is no connection to keep: each call shows whether the vendor is there. One that shuts us out is left alone. */
  ready(): boolean {
    return this.#isStarted && this.#access.refusal === undefined;
  }

  whyNotReady(): string | undefined {
    return this.#access.refusal;
  }

  contact(): Contact {
    return this.#access.contact;
  }

  pieceCount(): number {
    return 1;
  }

  makeReference(task: Pick<Task, "orderId" | "attempt">): string {
    return makeOrderId(task);
  }

  async send(task: Task): Promise<Outcome> {
    const { reference, recipient, payload } = task;
    const disco = payload.product === "electricity" ? this.#settings.discoCodes.get(payload.disco) : undefined;
    if (payload.product !== "electricity" || disco === undefined)
      return { kind: "rejected", scope: "route", code: "no_route", detail: "This vendor does not sell it." };
    if (reference === null) return { kind: "throttled", retryAfterMs: 0, detail: "no reference was committed" };
    if (!task.mayStillSend()) return { kind: "throttled", retryAfterMs: 0, detail: "the lease ran out before it left" };
    // strict=0: what takes longer is answered as in progress at once, and asked about later.
    const answer = await this.#call("POST", "vend?strict=0", vendBody(payload, { reference, meter: recipient, disco }));
    if (answer.kind === "not_sent")
      return { kind: "throttled", retryAfterMs: NOT_SENT_RETRY_MS, detail: answer.detail };
    return this.#judge("vend", { ...task, payload }, reference, answer);
  }

  async requery(task: Task): Promise<Outcome> {
    const { reference, payload } = task;
    if (reference === null || payload.product !== "electricity")
      return { kind: "unknown", detail: "this vendor was never asked for it" };
    const answer = await this.#call("GET", `transaction/${encodeURIComponent(reference)}`);
    if (answer.kind === "not_sent") return { kind: "unknown", detail: answer.detail };
    return this.#judge("requery", { ...task, payload }, reference, answer);
  }

  async verifyMeter(query: MeterQuery): Promise<MeterAnswer> {
    const disco = this.#settings.discoCodes.get(query.disco);
    if (disco === undefined) return { kind: "unavailable", detail: "This vendor does not sell for the disco." };
    const answer = await this.#call("GET", `check/meter?${meterQuery(query, disco)}`);
    return answer.kind === "answered"
      ? readVerification(query, answer.status, answer.text)
      : { kind: "unavailable", detail: answer.detail };
  }

  async discos(): Promise<ReadonlyMap<string, boolean> | undefined> {
    const answer = await this.#call("GET", "discos/status");
    return answer.kind === "answered"
      ? readAvailability(this.#settings.discoCodes, answer.status, answer.text)
      : undefined;
  }

  async balance(): Promise<Kobo | undefined> {
    const answer = await this.#call("GET", "wallet/balance");
    return answer.kind === "answered" && answer.status === 200 ? readVendorNaira(balanceIn(answer.text)) : undefined;
  }

  /** Who knows no token of ours can't sign with it: a refusal counts without a signature. */
  async #probe(): Promise<ProbeAnswer | undefined> {
    const limitMs = Math.min(this.#settings.responseTimeoutMs, PROBE_MS);
    const outcome = await this.#request("GET", "wallet/balance", undefined, limitMs);
    const said = asText(outcome);
    if (said.kind !== "answered") return strayAnswer(said);
    const stray = strayAnswer(said);
    if (stray) return stray;
    const refusal = refusalOfAccess(said.status);
    if (refusal !== undefined) return { kind: "refused", detail: refusal };
    if (said.status === 429) return undefined;
    if (said.status !== 200 || balanceIn(said.text) === undefined) return otherAnswer(said.status);
    return this.#isOurs(outcome)
      ? { kind: "reached" }
      : {
          kind: "not_reached",
          detail: "HTTP 200 without the vendor's signature: is it BuyPower, and `checkSignature` right?",
        };
  }

  #judge(
    call: "vend" | "requery",
    { orderId, recipient: meter, payload }: ProviderTask<ElectricityPayload>,
    reference: string,
    answer: Exclude<HttpOutcome, { kind: "not_sent" }>,
  ): Outcome {
    const attempt = { reference, meter, disco: this.#settings.discoCodes.get(payload.disco), payload };
    const outcome = judged(answer, ({ status, text }) => ({ call, status, text, ...attempt }));
    if (outcome.kind === "unknown")
      this.#deps.log.warn(
        {
          provider: this.name,
          order: orderId,
          call,
          ...loggedAnswer(answer, (text) => codeOf(readFields(text) ?? {})),
        },
        "the vendor's answer decides nothing",
      );
    return outcome;
  }

  async #call(method: "GET" | "POST", path: string, body?: unknown): Promise<HttpOutcome> {
    const call = this.#request(method, path, body, this.#settings.responseTimeoutMs);
    this.#underWay.add(call);
    try {
      const answer = await call;
      if (answer.kind !== "answered" || this.#isOurs(answer)) return asText(answer);
      return { kind: "unknown", detail: `HTTP ${answer.status} without the vendor's signature` };
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** One that nobody waits for at the end. */
  #request(method: "GET" | "POST", path: string, body: unknown, timeoutMs: number) {
    const { baseUrl, token } = this.#settings;
    return httpBytes(this.#deps.fetch, {
      method,
      url: `${baseUrl}/v2/${path}`,
      headers: { authorization: `Bearer ${token}`, accept: "application/json", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
    });
  }

  #isOurs(answer: HttpOutcome<{ readonly bytes: Buffer }>): boolean {
    const { token, checkSignature } = this.#settings;
    if (answer.kind !== "answered" || !checkSignature) return true;
    return isSigned(answer.bytes, token, answer.headers.get("x-buypower-signature"));
  }
}

/** Of the account; undefined where there is none. Which of its two places it has differs between its own pages. */
function balanceIn(text: string): string | undefined {
  const body = readFields(text) ?? {};
  return textOf(body, ["balance"]) ?? textOf(fieldsOf(body.data), ["balance"]);
}

function judged(answer: Exclude<HttpOutcome, { kind: "not_sent" }>, asked: (answer: AnswerPart) => Answered): Outcome {
  if (answer.kind === "answered") return outcomeOf(asked(answer));
  const { detail, part } = answer;
  return part ? partOutcomeOf(detail, asked(part)) : { kind: "unknown", detail };
}
