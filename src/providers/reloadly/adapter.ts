import { within } from "../../kernel/deadline.ts";
import { DAY_MS } from "../../kernel/duration.ts";
import { type Kobo, kobo, koboToNaira } from "../../kernel/kobo.ts";
import { statusAndCode } from "../../kernel/logged-code.ts";
import { readVendorNaira } from "../../kernel/naira.ts";
import type { Network } from "../../kernel/networks.ts";
import type {
  CallbackAnswer,
  CallbackGate,
  CallbackRequest,
  Outcome,
  ProbeAnswer,
  Provider,
  ProviderDeps,
  ProviderSink,
  ProviderTask,
  VendorPlan,
} from "../../ports/provider.ts";
import type { PurchasePayload } from "../../ports/purchase-payload.ts";
import { PROBE_MS } from "../access-probe.ts";
import { HttpVendor, NEVER_ASKED, NOT_SOLD, notSent } from "../http-vendor.ts";
import { accessOf, REFUSED } from "./access.ts";
import { type Answer, fieldsOf, goodFields } from "./answer.ts";
import { ReloadlyApi } from "./api.ts";
import { gateFor, takeCallback } from "./callback.ts";
import { airtimeOperator, type Operator, plansOf, readOperators, readPlanCode } from "./operators.ts";
import { acceptanceOf, reportedStateOf, stateOf } from "./outcomes.ts";
import { makeReference } from "./reference.ts";
import { type Fetched, Renewable } from "./renewable.ts";
import type { ReloadlySettings } from "./settings.ts";
import { isSold, type Sold } from "./sold.ts";

const OPERATORS_GOOD_FOR_MS = DAY_MS;
const OPERATORS_AGAIN_AFTER_MS = 1_000;
const OPERATORS_PATH = "/operators/countries/NG?includeData=true&includeBundles=true&includePin=false";

const DIGITS = /^\d+$/;
const NO_SUCH_NUMBER = "TRANSACTION_NOT_FOUND";

type Task = ProviderTask<PurchasePayload>;

/** What to top up, at which operator. */
interface Order {
  readonly operatorId: number;
  /** Naira, two places. */
  readonly amount: string;
}

/** One account at Reloadly: airtime and data bundles. */
export class ReloadlyProvider extends HttpVendor<ReloadlySettings> implements Provider<PurchasePayload> {
  readonly plans = { data: () => this.#plans() };
  readonly #api: ReloadlyApi;
  readonly #operators: Renewable<readonly Operator[], string>;

  constructor(name: string, settings: ReloadlySettings, deps: ProviderDeps) {
    // Half of it to get ready (token, operators), half for the call.
    super(name, settings, deps, 2 * settings.responseTimeoutMs);
    this.#api = new ReloadlyApi(settings, deps, (call) => this.tracked(call));
    this.#operators = new Renewable(() => this.#fetchOperators(), deps.clock);
  }

  override async start(sink: ProviderSink): Promise<void> {
    // Ahead of the first order, which then need not wait for it.
    void this.#operators.get();
    await super.start(sink);
  }

  /** An account that is refused an access token is left alone for a moment, then tried again. */
  override whyNotReady(): string | undefined {
    return this.#api.tokens.failure?.refused ? REFUSED : undefined;
  }

  makeReference(task: Pick<Task, "orderId" | "attempt">): string {
    return makeReference(task);
  }

  async send(task: Task): Promise<Outcome> {
    const { payload, reference, recipient } = task;
    const { responseTimeoutMs } = this.settings;
    const deadlineMs = this.deps.clock.monotonicMs() + this.answerWithinMs;
    if (reference === null) return notSent("no reference was committed");
    if (!isSold(payload)) return NOT_SOLD;
    const order = await within(this.#orderFor(payload), responseTimeoutMs);
    if (order === undefined) return notSent("the vendor's list of operators took too long");
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
    if (outcome.kind === "not_sent") return notTaken(outcome);
    return this.#learn(
      this.#logged(task, "top-up", outcome.answer, acceptanceOf(outcome.answer, payload, this.settings, reference)),
    );
  }

  async requery(task: Task): Promise<Outcome> {
    const { reference, providerReference, recipient, payload } = task;
    if (reference === null || !isSold(payload)) return NEVER_ASKED;
    const id = providerReference !== undefined && DIGITS.test(providerReference) ? providerReference : undefined;
    const deadlineMs = this.deps.clock.monotonicMs() + this.answerWithinMs;
    const ask = (path: string) => this.#api.call({ method: "GET", path, deadlineMs });
    const attempt = { reference, recipient, sold: payload, providerReference: id };
    const numbered = id === undefined ? undefined : await ask(`/topups/${id}/status`);
    // It does not know the number that it gave: it may know our identifier.
    const isByNumber = numbered && !(numbered.kind === "answered" && numbered.answer.errorCode === NO_SUCH_NUMBER);
    const said = isByNumber
      ? numbered
      : await ask(`/topups/reports/transactions?customIdentifier=${encodeURIComponent(reference)}`);
    if (said.kind !== "answered") return { kind: "unknown", detail: said.detail };
    return this.#logged(task, "status", said.answer, (isByNumber ? stateOf : reportedStateOf)(said.answer, attempt));
  }

  async balance(): Promise<Kobo | undefined> {
    const outcome = await this.#api.call({ method: "GET", path: "/accounts/balance" });
    if (outcome.kind !== "answered") return undefined;
    const { balance, currencyCode } = fieldsOf(goodFields(outcome.answer));
    // A balance in another currency has no certain value in naira.
    return currencyCode === "NGN" ? readVendorNaira(balance) : undefined;
  }

  /** The balance needs a token of our account, and shows that both hosts are there. */
  protected async probe(): Promise<ProbeAnswer | undefined> {
    const outcome = await within(this.#api.call({ method: "GET", path: "/accounts/balance" }), PROBE_MS);
    return accessOf(outcome, this.#api.tokens.failure);
  }

  get callbackGate(): CallbackGate {
    return gateFor(this.settings);
  }

  async callback(request: CallbackRequest): Promise<CallbackAnswer> {
    return this.receive((sink) => takeCallback(request, this.settings, sink));
  }

  async #plans(): Promise<readonly VendorPlan[] | undefined> {
    const operators = await within(this.#operators.renew(), this.answerWithinMs);
    return operators && plansOf(operators);
  }

  /** Where and how much; an outcome when it can't be sold. */
  async #orderFor(payload: Sold): Promise<Order | Outcome> {
    if (payload.product === "data")
      return readPlanCode(payload.plan.code) ?? { ...NOT_SOLD, scope: "order", code: "plan_not_found" };
    const { network, amount_kobo: amountKobo } = payload;
    const amount = koboToNaira(kobo(amountKobo));
    const operatorId = this.settings.operators[network] ?? (await this.#operatorOf(network));
    if (operatorId === undefined) {
      const { refused = false } = this.#api.tokens.failure ?? {};
      return notTaken({ detail: "the vendor's list of operators can't be had", ...(refused && { refused }) });
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
    if (outcome.code === "plan_not_found") this.sink?.plansChanged();
    if (outcome.code === "route_misconfigured") void this.#operators.renew();
    return outcome;
  }

  #logged(task: Task, call: string, { status, errorCode }: Answer, outcome: Outcome): Outcome {
    if (outcome.kind === "unknown")
      this.deps.log.warn(
        { provider: this.name, order: task.orderId, call, answer: statusAndCode(status, errorCode) },
        "the vendor's answer decides nothing",
      );
    return outcome;
  }
}

const NO_ANSWER = { body: undefined, status: 0, words: "" };

const notTaken = ({ detail, refused }: { readonly detail: string; readonly refused?: true }): Outcome =>
  refused
    ? { kind: "rejected", scope: "route", code: "no_route", detail: "The vendor could not take it.", alarm: REFUSED }
    : notSent(detail);
