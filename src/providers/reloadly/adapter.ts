import { within } from "../../kernel/deadline.ts";
import { type Kobo, kobo, koboToNaira } from "../../kernel/kobo.ts";
import { statusAndCode } from "../../kernel/logged-code.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { Network } from "../../kernel/networks.ts";
import type {
  CallbackAnswer,
  CallbackGate,
  CallbackRequest,
  Contact,
  Outcome,
  ProbeAnswer,
  Provider,
  ProviderDeps,
  ProviderSink,
  ProviderTask,
  VendorPlan,
} from "../../ports/provider.ts";
import type { AirtimePayload, DataPayload, PurchasePayload } from "../../ports/purchase-payload.ts";
import { type AccessProbe, makeAccessProbe, otherAnswer, PROBE_MS, strayAnswer, wayInWords } from "../access-probe.ts";
import { type Answer, fieldsOf, goodFields } from "./answer.ts";
import { ReloadlyApi } from "./api.ts";
import { gateFor, takeCallback } from "./callback.ts";
import { airtimeOperator, type Operator, plansOf, readOperators, readPlanCode } from "./operators.ts";
import { acceptanceOf, reportedStateOf, stateOf } from "./outcomes.ts";
import { makeReference } from "./reference.ts";
import { type Fetched, Renewable } from "./renewable.ts";
import type { ReloadlySettings } from "./settings.ts";

/** After a call that certainly did not leave: the vendor's host is away, or our network is. */
const NOT_SENT_RETRY_MS = 1_000;
const OPERATORS_GOOD_FOR_MS = 24 * 3_600_000;
const OPERATORS_AGAIN_AFTER_MS = 1_000;
const OPERATORS_PATH = "/operators/countries/NG?includeData=true&includeBundles=true&includePin=false";

const DIGITS = /^\d+$/;
const NO_SUCH_NUMBER = "TRANSACTION_NOT_FOUND";
const REFUSED = "Reloadly refuses our client id or secret";

type Task = ProviderTask<PurchasePayload>;
type Sold = AirtimePayload | DataPayload;

/** What to top up, at which operator. */
interface Order {
  readonly operatorId: number;
  /** Naira, two places. */
  readonly amount: string;
}

/** One account at Reloadly: airtime and data bundles. */
export class ReloadlyProvider implements Provider<PurchasePayload> {
  readonly name: string;
  readonly answerWithinMs: number;
  readonly #settings: ReloadlySettings;
  readonly #deps: ProviderDeps;
  readonly #api: ReloadlyApi;
  readonly #operators: Renewable<readonly Operator[], string>;
  readonly #access: AccessProbe;
  #sink: ProviderSink | undefined;

  constructor(name: string, settings: ReloadlySettings, deps: ProviderDeps) {
    this.name = name;
    this.#settings = settings;
    this.#deps = deps;
    this.#api = new ReloadlyApi(settings, deps);
    this.#operators = new Renewable(() => this.#fetchOperators(), deps.clock);
    this.#access = makeAccessProbe({ provider: name, ask: () => this.#probe(), ...deps });
    // Half of it to get ready (token, operators), half for the call.
    this.answerWithinMs = 2 * settings.responseTimeoutMs;
  }

  async start(sink: ProviderSink): Promise<void> {
    this.#sink = sink;
    this.#access.start(() => this.#sink?.readinessChanged());
    // Ahead of the first order, which then need not wait for it.
    void this.#operators.get();
    sink.readinessChanged();
  }

  async stop(): Promise<void> {
    this.#sink = undefined;
    this.#access.stop();
    await this.#api.idle();
  }

  /** There is no connection to keep. An account that is refused is left alone for a moment, then tried again. */
  ready(): boolean {
    return this.#sink !== undefined && !this.#api.tokens.failure?.refused;
  }

  whyNotReady(): string | undefined {
    return this.#api.tokens.failure?.refused ? REFUSED : undefined;
  }

  contact(): Contact {
    return this.#access.contact;
  }

  pieceCount(): number {
    return 1;
  }

  makeReference(task: Pick<Task, "orderId" | "attempt">): string {
    return makeReference(task);
  }

  async send(task: Task): Promise<Outcome> {
    const { payload, reference, recipient } = task;
    const { responseTimeoutMs } = this.#settings;
    const deadlineMs = this.#deps.clock.monotonicMs() + this.answerWithinMs;
    if (reference === null) return later("no reference was committed");
    if (payload.product === "electricity") return NOT_SOLD;
    const order = await within(this.#orderFor(payload), responseTimeoutMs);
    if (order === undefined) return later("the vendor's list of operators took too long");
    if ("kind" in order) return order;
    const outcome = await this.#api.call({
      method: "POST",
      path: "/topups-async",
      body: {
        ...order,
        // The amount is one in naira, whatever the currency of our account is.
        useLocalAmount: true,
        customIdentifier: reference,
        recipientPhone: { countryCode: "NG", number: recipient },
      },
      deadlineMs,
      mayStillSend: () => task.mayStillSend(),
    });
    if (outcome.kind === "unknown") return outcome;
    if (outcome.kind === "not_sent") return notSent(outcome);
    return this.#learn(
      this.#told(task, "top-up", outcome.answer, acceptanceOf(outcome.answer, payload, this.#settings, reference)),
    );
  }

  async requery(task: Task): Promise<Outcome> {
    const { reference, providerReference, recipient, payload } = task;
    if (reference === null || payload.product === "electricity")
      return { kind: "unknown", detail: "this vendor was never asked for it" };
    const id = providerReference !== undefined && DIGITS.test(providerReference) ? providerReference : undefined;
    const deadlineMs = this.#deps.clock.monotonicMs() + this.answerWithinMs;
    const ask = (path: string) => this.#api.call({ method: "GET", path, deadlineMs });
    const attempt = { reference, recipient, sold: payload, providerReference: id };
    const numbered = id === undefined ? undefined : await ask(`/topups/${id}/status`);
    // A number that it gave and does not know: it may know our identifier.
    const isByNumber = numbered && !(numbered.kind === "answered" && numbered.answer.errorCode === NO_SUCH_NUMBER);
    const said = isByNumber
      ? numbered
      : await ask(`/topups/reports/transactions?customIdentifier=${encodeURIComponent(reference)}`);
    if (said.kind !== "answered") return { kind: "unknown", detail: said.detail };
    return this.#told(task, "status", said.answer, (isByNumber ? stateOf : reportedStateOf)(said.answer, attempt));
  }

  async plans(): Promise<readonly VendorPlan[] | undefined> {
    const operators = await within(this.#operators.renew(), this.answerWithinMs);
    return operators && plansOf(operators);
  }

  async balance(): Promise<Kobo | undefined> {
    const outcome = await this.#api.call({ method: "GET", path: "/accounts/balance" });
    if (outcome.kind !== "answered") return undefined;
    const { balance, currencyCode } = fieldsOf(goodFields(outcome.answer));
    // Of an account in another currency nobody can say what it is in naira.
    return currencyCode === "NGN" ? readVendorNaira(balance) : undefined;
  }

  /** Our balance: it takes a token of our account, and shows that both hosts are there. */
  async #probe(): Promise<ProbeAnswer | undefined> {
    const outcome = await within(this.#api.call({ method: "GET", path: "/accounts/balance" }), PROBE_MS);
    if (outcome === undefined) return { kind: "not_reached", detail: `no whole answer within ${PROBE_MS} ms` };
    if (outcome.kind !== "answered") {
      const { failure } = this.#api.tokens;
      if (failure?.refused) return { kind: "refused", detail: `${REFUSED} (${failure.detail})` };
      return {
        kind: "not_reached",
        detail: failure ? `no access token: ${wayInWords(failure.detail)}` : wayInWords(outcome.detail),
      };
    }
    const stray = outcome.whole && strayAnswer(outcome.whole);
    if (stray) return stray;
    const { status, errorCode } = outcome.answer;
    if (status === 401 || status === 403)
      return {
        kind: "refused",
        detail: `Reloadly refuses our token: ${statusAndCode(status, errorCode)}; is the environment right?`,
      };
    if (status === 429) return undefined;
    if (fieldsOf(goodFields(outcome.answer)).balance !== undefined) return { kind: "reached" };
    return otherAnswer(status, errorCode);
  }

  get callbackGate(): CallbackGate {
    return gateFor(this.#settings);
  }

  async callback(request: CallbackRequest): Promise<CallbackAnswer> {
    if (!this.#sink) return { status: 503, contentType: "application/json", body: "{}" };
    return takeCallback(request, this.#settings, this.#sink);
  }

  /** Where and how much; an outcome when it can't be sold. */
  async #orderFor(payload: Sold): Promise<Order | Outcome> {
    if (payload.product === "data")
      return readPlanCode(payload.plan.code) ?? { ...NOT_SOLD, scope: "order", code: "plan_not_found" };
    const { network, amount_kobo: amountKobo } = payload;
    const amount = koboToNaira(kobo(amountKobo));
    const operatorId = this.#settings.operators[network] ?? (await this.#operatorOf(network));
    if (operatorId === undefined) {
      const { refused = false } = this.#api.tokens.failure ?? {};
      return notSent({ detail: "the vendor's list of operators can't be had", ...(refused && { refused }) });
    }
    return operatorId === null ? NOT_SOLD : { operatorId, amount };
  }

  /** Null: the vendor has none. */
  async #operatorOf(network: Network): Promise<number | null | undefined> {
    const operators = await this.#operators.get();
    if (operators) return airtimeOperator(operators, network) ?? null;
    return undefined;
  }

  async #fetchOperators(): Promise<Fetched<readonly Operator[], string>> {
    const outcome = await this.#api.call({ method: "GET", path: OPERATORS_PATH });
    const { body, status, words } = outcome.kind === "answered" ? outcome.answer : NO_ANSWER;
    const operators = status === 200 ? readOperators(body) : undefined;
    if (operators) return { ok: true, value: operators, goodForMs: OPERATORS_GOOD_FOR_MS };
    const failure = outcome.kind === "answered" ? `HTTP ${status} ${words}` : outcome.detail;
    return { ok: false, failure, againAfterMs: OPERATORS_AGAIN_AFTER_MS };
  }

  /** A plan or an operator that is gone: our lists are old. */
  #learn(outcome: Outcome): Outcome {
    if (outcome.kind !== "rejected") return outcome;
    if (outcome.code === "plan_not_found") this.#sink?.plansChanged();
    if (outcome.code === "route_misconfigured") void this.#operators.renew();
    return outcome;
  }

  #told(task: Task, call: string, { status, errorCode }: Answer, outcome: Outcome): Outcome {
    if (outcome.kind === "unknown")
      this.#deps.log.warn(
        { provider: this.name, order: task.orderId, call, answer: statusAndCode(status, errorCode) },
        "the vendor's answer decides nothing",
      );
    return outcome;
  }
}

const NO_ANSWER = { body: undefined, status: 0, words: "" };

const NOT_SOLD = {
  kind: "rejected",
  scope: "route",
  code: "no_route",
  detail: "This vendor does not sell it.",
} as const satisfies Outcome;

const later = (detail: string): Outcome => ({ kind: "throttled", retryAfterMs: NOT_SENT_RETRY_MS, detail });

const notSent = ({ detail, refused }: { readonly detail: string; readonly refused?: true }): Outcome =>
  refused
    ? { kind: "rejected", scope: "route", code: "no_route", detail: "The vendor could not take it.", alarm: REFUSED }
    : later(detail);
