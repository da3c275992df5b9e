import { unsliced } from "../../kernel/slices.ts";
import type { ChatPayload, VendorTemplate } from "../../ports/chat-payload.ts";
import type {
  CallbackAnswer,
  CallbackRequest,
  MediaFile,
  Outcome,
  Provider,
  ProviderDeps,
  ProviderTask,
} from "../../ports/provider.ts";
import { retryAfterOf } from "../http-call.ts";
import { HttpVendor, LEASE_OVER, NO_REFERENCE } from "../http-vendor.ts";
import { accessOf, NUMBERS_QUERY } from "./access.ts";
import { takeCallback, WHATSAPP_GATE } from "./callback.ts";
import { Cooldowns } from "./cooldowns.ts";
import { errorOf, NEUTRAL } from "./errors.ts";
import { type Graph, makeGraph } from "./graph.ts";
import { codeIn } from "./graph-error.ts";
import { SendLimits } from "./limits.ts";
import { download, type Had, upload } from "./media.ts";
import { outcomeOf } from "./outcomes.ts";
import { messageBody } from "./requests.ts";
import type { WhatsappSettings } from "./settings.ts";
import { listTemplates } from "./templates.ts";
import { makeReference } from "./wire/reference.ts";

/** How long the account counts as closed after it did not let us list its templates. */
const LIST_REFUSED_MS = 60_000;

type Task = ProviderTask<ChatPayload>;

/**
 * One WhatsApp Business Account at Meta. There is no way to ask after a message; what stands in for it is our reference, which
 * comes back with every status, so a lost answer is mended by the first of them.
 */
export class WhatsappCloudProvider extends HttpVendor<WhatsappSettings> implements Provider<ChatPayload> {
  readonly chatNumbers: readonly string[];
  readonly #graph: Graph;
  readonly #limits: SendLimits;
  readonly #cooldowns: Cooldowns;
  readonly #idOf: ReadonlyMap<string, string>;

  constructor(name: string, settings: WhatsappSettings, deps: ProviderDeps) {
    super(name, settings, deps);
    this.#graph = makeGraph(settings, deps.fetch);
    this.#limits = new SendLimits(settings, () => deps.clock.monotonicMs());
    this.#cooldowns = new Cooldowns(() => deps.clock.monotonicMs());
    this.#idOf = new Map(settings.numbers.map(({ number, phoneNumberId }) => [number, phoneNumberId]));
    this.chatNumbers = [...this.#idOf.keys()];
  }

  /** Closes nothing: the first message, or the templates, that Meta refuses so do. */
  protected override accessChanged(): void {}

  override whyNotReady(): string | undefined {
    return this.#cooldowns.account?.why;
  }

  /** The account's numbers, ours among them. */
  protected async probe() {
    const path = `${this.settings.wabaId}/phone_numbers?${NUMBERS_QUERY}`;
    const outcome = await this.#graph.call("GET", path, { timeoutMs: this.probeTimeoutMs });
    return accessOf(outcome, [...this.#idOf.values()]);
  }

  makeReference(task: Pick<Task, "orderId" | "attempt">): string {
    return makeReference(this.settings.appSecret, task);
  }

  async send(task: Task): Promise<Outcome> {
    const { reference, recipient, payload } = task;
    if (reference === null) return NO_REFERENCE;
    const phoneNumberId = this.#idOf.get(payload.from);
    if (phoneNumberId === undefined) return this.#noSuchNumber(payload.from);
    const closedMs = this.#cooldowns.leftMs(payload.from);
    if (closedMs > 0) return { kind: "throttled", retryAfterMs: closedMs, detail: "the vendor takes nothing now" };
    if (!task.mayStillSend()) return LEASE_OVER;
    const retryAfterMs = this.#limits.take(payload.from, recipient);
    if (retryAfterMs > 0) return { kind: "throttled", retryAfterMs, detail: "the number's own rate is used up" };
    const body = JSON.stringify(messageBody(recipient, reference, payload));
    const answer = await this.tracked(this.#graph.call("POST", `${phoneNumberId}/messages`, { body }));
    if (answer.kind === "not_sent") return this.#nobody(answer.detail);
    if (answer.kind === "answered") this.#cooldowns.reached();
    const outcome =
      answer.kind === "unknown"
        ? answer
        : this.#waitingAsAsked(answer, outcomeOf(answer.status, answer.text, this.settings.waitMsMax));
    if (outcome.kind === "accepted") this.#cooldowns.taken(payload.from);
    if (outcome.kind === "throttled" && answer.kind === "answered")
      this.#readThrottle(payload.from, codeIn(answer.text), outcome.retryAfterMs);
    this.logUndecided(outcome, task, answer, codeIn);
    return outcome;
  }

  /** What is throttled waits for as long as the answer asks, where that is longer than what its code stands for. */
  #waitingAsAsked({ headers }: { readonly headers: Headers }, outcome: Outcome): Outcome {
    const askedMs = retryAfterOf(headers, this.deps.clock.now());
    if (outcome.kind !== "throttled" || askedMs === undefined) return outcome;
    return { ...outcome, retryAfterMs: Math.min(this.settings.waitMsMax, Math.max(outcome.retryAfterMs, askedMs)) };
  }

  /** A file that is uploaded with one number may be sent from another of the same account. */
  async uploadMedia(file: MediaFile): Promise<string | undefined> {
    const [phoneNumberId = ""] = this.#idOf.values();
    return this.#had("upload", upload(this.#graph, phoneNumberId, file, this.settings.mediaTimeoutMs));
  }

  async downloadMedia(id: string, bytesMax: number): Promise<MediaFile | undefined> {
    return this.#had("download", download(this.#graph, this.deps.fetch, this.settings, id, bytesMax));
  }

  async templates(): Promise<readonly VendorTemplate[] | undefined> {
    const listed = listTemplates(this.#graph, this.settings.wabaId);
    const result = await listed;
    // The first call that is made: whether we are let in is known before anybody writes.
    if ("code" in result) this.#readThrottle("", result.code, LIST_REFUSED_MS);
    return this.#had("templates", listed);
  }

  readonly callbackGate = WHATSAPP_GATE;

  async callback(request: CallbackRequest): Promise<CallbackAnswer> {
    const { clock, log, inSlices = unsliced } = this.deps;
    const { settings } = this;
    return this.receive((sink) => takeCallback(request, { settings, sink, log, inSlices, receivedAt: clock.now() }));
  }

  /** The call certainly did not leave: the vendor's host is away, or our network is. No message is tried until it is time. */
  #nobody(detail: string): Outcome {
    const retryAfterMs = this.#cooldowns.away(`WhatsApp is not reached: ${detail}`);
    this.#openAgain(retryAfterMs);
    return { kind: "throttled", retryAfterMs, detail };
  }

  #openAgain(afterMs: number): void {
    this.sink?.readinessChanged();
    setTimeout(() => this.sink?.readinessChanged(), afterMs).unref();
  }

  /** “Not now” that concerns other messages as well. */
  #readThrottle(number: string, code: string, forMs: number): void {
    const error = errorOf(code);
    if (error?.meaning.kind !== "throttled") return;
    const { of, alarm } = error.meaning;
    const why = `WhatsApp: ${error.says} (#${code})`;
    if (alarm) this.deps.log.error({ provider: this.name, number, code }, `${why}; messages wait until it is mended`);
    if (of === undefined) return;
    this.#cooldowns.close(of, number, forMs, why);
    if (of === "account") this.#openAgain(this.#cooldowns.leftMs(number));
  }

  #noSuchNumber(number: string): Outcome {
    return {
      kind: "rejected",
      scope: "route",
      code: "route_misconfigured",
      detail: NEUTRAL,
      alarm: `WhatsApp: +${number} is not among the numbers of the provider ${this.name}`,
    };
  }

  async #had<T>(what: string, call: Promise<Had<T>>): Promise<T | undefined> {
    const result = await this.tracked(call);
    if ("had" in result) return result.had;
    this.deps.log.warn({ provider: this.name, call: what, why: result.whyNot }, "the vendor did not give it");
    return undefined;
  }
}
