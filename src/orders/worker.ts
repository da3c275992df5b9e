import { AnswerLost } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { type Result, refuse } from "../kernel/result.ts";
import type { Doubt, Outcome, ProviderTask } from "../ports/provider.ts";
import { nextAttempt } from "./attempt.ts";
import { hasMoreRoutes } from "./choose-route.ts";
import { type Answered, decideBegin, decideOutcome } from "./decide.ts";
import { decideStopped, SUSPENDED, unfit } from "./decide-due.ts";
import { decideLateOutcome, isStillHeld, leftOpen } from "./decide-late.ts";
import { decideRequery } from "./decide-requery.ts";
import type { EngineMetrics } from "./engine-metrics.ts";
import type { EngineSpans } from "./engine-spans.ts";
import type { Change, Order } from "./order.ts";
import {
  BEGIN_UNANSWERED,
  LEFT_ALONE,
  notSent,
  openedPayload,
  questionFor,
  taskFor,
  unstorable,
} from "./provider-task.ts";
import type { Recorder } from "./recorder.ts";
import type { Reports } from "./reports.ts";
import type { Route } from "./route.ts";
import { sendPieces } from "./send-pieces.ts";
import type { HooksOf } from "./service.ts";
import { type ServiceDefinition, type Stop, validUntilOf } from "./service-definition.ts";
import { cleanOutcome } from "./vendor-words.ts";

/** An order that this node holds the lease on. */
export interface Hold {
  readonly order: Order;
  /** Right before bytes leave: false once another node may have taken it over. */
  mayStillSend(): boolean;
}

/**
 * Whether the begin of an attempt was committed. `unanswered`: it may be, and the vendor is not called. Only the node that holds the
 * lease calls the vendor, and a takeover raises the epoch first. So while the epoch is ours the order is recorded as certainly not
 * sent, like any other; a begin that is committed later is outdated by that record. Once the epoch is another node's, that node
 * decides: it sees a begin without an answer, which is `unknown`.
 */
export type Begun = "yes" | "no" | "unanswered";

/** An attempt that is ready to leave. */
export interface Prepared {
  readonly kind: "prepared";
  readonly hold: Hold;
  readonly route: Route;
  readonly task: ProviderTask;
  readonly begunAt: Date;
  /** To be committed before the vendor is called; undefined for orders that may be sent twice. */
  readonly begin: Change | undefined;
}

/** An order that may not leave: `change` says why. */
export interface Stopped {
  readonly kind: "stopped";
  readonly change: Change;
}

export interface WorkerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly routes: readonly Route[];
  readonly recorder: Recorder;
  readonly reports: Pick<Reports, "hint">;
  /** Checked again when an order is about to leave. */
  readonly isSuspended: (accountId: Uuid) => Promise<boolean>;
  readonly hooksOf: HooksOf;
  readonly metrics?: EngineMetrics | undefined;
  readonly spans?: EngineSpans | undefined;
}

/**
 * Whether an attempt is committed before the vendor is called. Orders with `retry` may be sent twice, so they need no commit, except
 * at vendors that take our reference, which has to be stored first.
 */
export const needsDurableBegin = (order: Order, route: Route): boolean =>
  order.ambiguity !== "retry" || route.provider.makeReference !== undefined;

/** The service with its waits for this vendor: the operator sets how long an answer may take. */
const asAt = ({ provider }: Route, service: ServiceDefinition): ServiceDefinition => ({
  ...service,
  ...(service.purchaseWaits && {
    purchaseWaits: (mode) => service.purchaseWaits!(mode, provider.answerWithinMs),
  }),
});

interface Recording {
  readonly isLate?: boolean;
  readonly needs?: Change["needs"];
}

interface VendorCall {
  readonly route: Route;
  readonly operation: "send" | "requery";
  readonly order: Order;
  /** The span of its attempt. */
  readonly parentId?: string | undefined;
}

/** Works on one order at one route, from the last check before it leaves to the committed outcome. */
export class Worker {
  readonly #options: WorkerOptions;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** Sends a stored order: its begin, if it needs one, is a commit of its own. */
  async send(hold: Hold, route: Route): Promise<void> {
    const prepared = await this.prepare(hold, route);
    if (prepared.kind === "stopped") {
      await this.#options.recorder.apply("record", prepared.change);
      return;
    }
    const begun = prepared.begin ? await this.#commitBegin(prepared.begin) : "yes";
    if (begun !== "no") await this.run(prepared, begun);
  }

  /** Makes the next attempt of an order, and changes nothing yet. */
  async prepare(hold: Hold, route: Route): Promise<Prepared | Stopped> {
    const { order } = hold;
    const service = this.#serviceOf(order);
    const opened = await this.#openedIfFit(order);
    if (!opened.ok) return { kind: "stopped", change: decideStopped(service, order, opened.error, this.#now()) };
    const begunAt = this.#now();
    const attempt = nextAttempt(order);
    const reference =
      attempt === order.attempt
        ? order.attemptReference
        : (route.provider.makeReference?.({ orderId: order.id, attempt }, begunAt) ?? null);
    const expiresAt = validUntilOf(service, order);
    const task = taskFor({ ...order, expiresAt }, opened.value, attempt, reference, () => hold.mayStillSend());
    const begin = needsDurableBegin(order, route)
      ? decideBegin({
          service,
          order,
          route: route.settings.name,
          pieceCount: route.provider.pieceCount(task),
          at: begunAt,
          attemptReference: reference,
        })
      : undefined;
    return { kind: "prepared", hold, route, task, begunAt, begin };
  }

  /** Calls the vendor, unless the begin is unanswered, and records what comes of it. */
  async run(prepared: Prepared, begun: Exclude<Begun, "no">): Promise<void> {
    const { clock, log, routes, spans } = this.#options;
    const sinceMs = clock.monotonicMs();
    const { route, task, begunAt } = prepared;
    const { attempt, reference } = task;
    const order = prepared.begin?.after ?? prepared.hold.order;
    const before = attempt === order.attempt ? order.pieces : null;
    const spanId = spans?.startDispatch(order);
    const recorded = Promise.withResolvers<Answered>();
    const answeredLate = (piece: number, late: Outcome) => this.#recordLate(order, piece, late, recorded.promise);
    const clean = (outcome: Outcome) => cleanOutcome(outcome, this.#serviceOf(order));
    const answers =
      begun === "yes"
        ? ((await route.guarded(order.recipient, () =>
            this.#timed(
              { route, operation: "send", order, parentId: spanId },
              sendPieces({ provider: route.provider, task: { ...task, answeredLate }, before, clean }),
            ),
          )) ?? notSent(before, LEFT_ALONE))
        : notSent(before, BEGIN_UNANSWERED);
    const outcomes = answers.map((answer) => answer && this.#sealed(order, answer));
    this.#alarm(route, order, outcomes);
    const answered: Answered = {
      route: route.settings.name,
      attempt,
      attemptReference: reference,
      begunAt,
      outcomes,
      moreRoutes: hasMoreRoutes(routes, this.#serviceOf(order), order, route),
    };
    // The version of a begin without an answer may be that of another change: a claim, a cancel, a report.
    const needs = begun === "yes" ? undefined : "own begin";
    let after: Order | undefined;
    try {
      after = await this.#record(order, answered, { needs });
    } catch (error) {
      // An answer that can't be stored is recorded as unknown: forgetting it would send the order again and again.
      log.error({ error: (error as Error).stack, order: order.id }, "a vendor's answer can't be stored");
      const unstored = outcomes.map((outcome) => outcome && unstorable(outcome));
      after = await this.#record(order, { ...answered, outcomes: unstored }, { needs });
    }
    recorded.resolve(answered);
    if (spanId !== undefined) spans?.dispatched(after ?? order, answered, spanId, sinceMs);
  }

  /** Asks the vendor about the current attempt. */
  async requery(hold: Hold, route: Route): Promise<void> {
    const { order } = hold;
    const service = asAt(route, this.#serviceOf(order));
    const task = questionFor(order, () => hold.mayStillSend());
    const [asked] = route.provider.requery
      ? await this.#timed(
          { route, operation: "requery", order },
          route.provider.requery(task).then((one) => [one]),
        )
      : [];
    const said = cleanOutcome(asked ?? { kind: "unknown", detail: "this vendor can't be asked" }, service);
    const outcome = this.#sealed(order, said);
    // What its vendor does not find may be sent again, unless it may not leave any more.
    const fit = outcome.kind === "not_found" ? await this.#openedIfFit(order) : undefined;
    const stop = fit?.ok === false ? fit.error : undefined;
    const { recorder, routes } = this.#options;
    await recorder.settle("record", order, (current) => {
      if (!isStillHeld(current, order)) return undefined;
      const moreRoutes = hasMoreRoutes(routes, service, current, route);
      return decideRequery({ service, order: current, outcome, moreRoutes, stop, at: this.#now() });
    });
  }

  async #timed<Answers extends readonly (Outcome | undefined)[]>(
    { route, operation, order, parentId }: VendorCall,
    call: Promise<Answers>,
  ): Promise<Answers> {
    const { clock, metrics, spans } = this.#options;
    const sinceMs = clock.monotonicMs();
    const outcomes = await call;
    const provider = route.settings.name;
    metrics?.called(provider, operation, sinceMs, outcomes);
    spans?.called(order, { provider, operation, outcomes, parentId }, sinceMs);
    return outcomes;
  }

  /** The payload as the vendor gets it. Errors: why the order may not leave. */
  async #openedIfFit(order: Order): Promise<Result<unknown, Stop>> {
    const { isSuspended, hooksOf } = this.#options;
    const { unseal, preSendCheck } = hooksOf(order);
    if (await isSuspended(order.accountId)) return refuse(SUSPENDED);
    const opened = openedPayload(order, unseal);
    if (!opened.ok) return refuse(unfit(opened.error));
    const why = await preSendCheck?.(order);
    return why ? refuse(unfit(why)) : opened;
  }

  async #commitBegin(begin: Change): Promise<Begun> {
    try {
      return (await this.#options.recorder.apply("begin", begin)) ? "yes" : "no";
    } catch (error) {
      if (error instanceof AnswerLost) return "unanswered";
      throw error;
    }
  }

  /** An answer after the time limit. `answered`: the record of the call itself, which comes first. */
  #recordLate(order: Order, piece: number, late: Outcome, answered: Promise<Answered>): void {
    const outcome = this.#sealed(order, cleanOutcome(late, this.#serviceOf(order)));
    void answered
      .then((said) => {
        const outcomes = said.outcomes.map((_, at) => (at === piece ? outcome : undefined));
        return this.#record(order, { ...said, outcomes }, { isLate: true });
      })
      .catch((error: Error) =>
        this.#options.log.error({ error: error.stack, order: order.id }, "a late answer can't be stored"),
      );
  }

  /** `isLate`: an answer to the same attempt has been recorded before. `needs`: of a record that is built on `order` itself. */
  async #record(order: Order, said: Answered, { isLate = false, needs }: Recording = {}): Promise<Order | undefined> {
    const service = this.#serviceOf(order);
    const { recorder, reports } = this.#options;
    let before = order;
    const after = await recorder.settle("record", order, (current) => {
      before = current;
      const decides = !isLate && isStillHeld(current, order);
      const change = (decides ? decideOutcome : decideLateOutcome)(service, current, said, this.#now());
      return needs && current === order ? { ...change, needs } : change;
    });
    if (after && (isLate || !isStillHeld(before, order)))
      for (const open of leftOpen(before, after, said)) await reports.hint(open.route, open.reference);
    return after;
  }

  /** Secrets among what a vendor said (tokens, an answer in doubt) are sealed before they are stored. */
  #sealed(order: Order, said: Outcome): Outcome {
    if (!("doubt" in said && said.doubt)) return this.#withSealedFacts(order, said);
    const { doubt, ...outcome } = said;
    // A vendor that is asked again says the same again.
    const isKnown = (order.facts?.doubt as Partial<Doubt> | undefined)?.why === doubt.why;
    if (!isKnown)
      this.#options.log.error(
        { route: order.route, order: order.id },
        "a vendor's answer must be looked at: see ./afara cases list",
      );
    return this.#withSealedFacts(order, { ...outcome, facts: { ...outcome.facts, doubt } });
  }

  #withSealedFacts(order: Order, outcome: Outcome): Outcome {
    const { redact } = this.#options.hooksOf(order);
    if (!(redact && "facts" in outcome && outcome.facts)) return outcome;
    return { ...outcome, facts: redact(order.id, outcome.facts) };
  }

  /** A vendor that refuses the operator's account, not the customer's order: the operator has to resolve it. */
  #alarm(route: Route, order: Order, outcomes: readonly (Outcome | undefined)[]): void {
    for (const outcome of outcomes)
      if (outcome?.kind === "rejected" && outcome.alarm)
        this.#options.log.error(
          { route: route.settings.name, order: order.id, alarm: outcome.alarm },
          "a vendor refuses us",
        );
  }

  #serviceOf(order: Order): ServiceDefinition {
    return this.#options.services.get(order.service)!;
  }

  #now(): Date {
    return this.#options.clock.now();
  }
}
