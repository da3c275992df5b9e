import { AnswerLost } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Doubt, Facts, Outcome, ProviderTask } from "../ports/provider.ts";
import { hasMoreRoutes } from "./choose-route.ts";
import { type Answered, decideBegin, decideOutcome, nextAttempt, validUntilOf } from "./decide.ts";
import { decideSuspended, decideUnfit } from "./decide-due.ts";
import { decideLateOutcome, isStillHeld, leftOpen } from "./decide-late.ts";
import { decideRequery } from "./decide-requery.ts";
import type { Change, Order } from "./order.ts";
import {
  BEGIN_UNANSWERED,
  LEFT_ALONE,
  notSent,
  type OpenPayload,
  openedPayload,
  questionFor,
  taskFor,
  unstorable,
} from "./provider-task.ts";
import type { Recorder } from "./recorder.ts";
import type { Reports } from "./reports.ts";
import type { Route } from "./route.ts";
import { sendPieces } from "./send-pieces.ts";
import type { PreSendCheck, ServiceDefinition } from "./service-definition.ts";
import { cleanOutcome } from "./vendor-words.ts";

/** What is done with one order at one route, from the last look before it leaves to the committed outcome. */
export interface Worker {
  /**
   * Sends it. `accept`: it is not stored yet, and is to be with its begin in it; without one the begin is a commit of its own.
   * An order that may not leave after all is then left to be accepted as any other.
   */
  send(hold: Hold, route: Route, accept?: Begin): Promise<void>;
  /** Asks what became of its attempt. */
  requery(hold: Hold, route: Route): Promise<void>;
}

/** An order that this node holds the lease on. */
export interface Hold {
  readonly order: Order;
  /** Right before bytes leave: false once another node may have taken it over. */
  mayStillSend(): boolean;
}

/**
 * Commits a begin. `unanswered`: it may be committed, and the vendor is not called. Under this begin nobody else can have called it:
 * it stands or falls with this node's lease, and whoever takes the order over raises the epoch first. So while the epoch is ours the
 * order is recorded as certainly not sent, like any other; a begin that is still on its way is outdated by that. Once the epoch is
 * another's, that holder decides: it sees a begin without an answer, which is `unknown`.
 */
export type Begin = (begin: Change) => Promise<"yes" | "no" | "unanswered">;

export interface WorkerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly services: ReadonlyMap<string, ServiceDefinition>;
  readonly routes: readonly Route[];
  readonly recorder: Recorder;
  readonly reports: Pick<Reports, "hint">;
  /** Looked at again when an order's time comes. */
  readonly isSuspended: (accountId: Uuid) => Promise<boolean>;
  /** Encrypts what must not be readable at rest. */
  readonly seal: (orderId: Uuid, facts: Facts) => Facts;
  readonly open: OpenPayload;
  readonly preSendCheck?: PreSendCheck | undefined;
}

/** `retry` may be sent twice anyway, so it saves the mark before the call; all else is marked first, and what has a reference of ours too. */
export const needsDurableBegin = (order: Order, route: Route): boolean =>
  order.ambiguity !== "retry" || route.provider.makeReference !== undefined;

/** The service with its waits at this vendor, whose answer may be awaited for as long as the operator has set. */
const asAt = ({ provider }: Route, service: ServiceDefinition): ServiceDefinition => ({
  ...service,
  waits: (mode) => service.waits(mode, provider.answerWithinMs),
});

export function makeWorker(options: WorkerOptions): Worker {
  const { clock, log, services, routes, recorder } = options;
  const serviceOf = (order: Order): ServiceDefinition => services.get(order.service)!;
  const now = () => clock.now();

  /** Secrets among what a vendor said (tokens, an answer in doubt) are sealed before they are stored. */
  const sealed = (order: Order, said: Outcome): Outcome => {
    if (!("doubt" in said && said.doubt)) return withSealedFacts(order, said);
    const { doubt, ...outcome } = said;
    // A vendor that is asked again says the same again.
    const isKnown = (order.facts?.doubt as Partial<Doubt> | undefined)?.why === doubt.why;
    if (!isKnown)
      log.error({ route: order.route, order: order.id }, "a vendor's answer must be looked at: see ./afara cases list");
    return withSealedFacts(order, { ...outcome, facts: { ...outcome.facts, doubt } });
  };
  const withSealedFacts = (order: Order, outcome: Outcome): Outcome =>
    "facts" in outcome && outcome.facts ? { ...outcome, facts: options.seal(order.id, outcome.facts) } : outcome;

  /** A vendor that refuses us, not the customer: the operator must mend it. */
  const alarm = (route: Route, order: Order, outcomes: readonly (Outcome | undefined)[]) => {
    for (const outcome of outcomes)
      if (outcome?.kind === "rejected" && outcome.alarm)
        log.error({ route: route.settings.name, order: order.id, alarm: outcome.alarm }, "a vendor refuses us");
  };

  const commit: Begin = async (begin) => {
    try {
      return (await recorder.apply("begin", begin)) ? "yes" : "no";
    } catch (error) {
      if (error instanceof AnswerLost) return "unanswered";
      throw error;
    }
  };

  /** `isLate`: an answer to it has been recorded before. */
  const record = async (order: Order, said: Answered, isLate = false) => {
    const service = serviceOf(order);
    let before = order;
    const after = await recorder.settle("record", order, (current) => {
      before = current;
      const decides = !isLate && isStillHeld(current, order);
      return (decides ? decideOutcome : decideLateOutcome)(service, current, said, now());
    });
    if (after && (isLate || !isStillHeld(before, order)))
      for (const open of leftOpen(before, after, said)) await options.reports.hint(open.route, open.reference);
  };

  return {
    async send(hold, route, accept) {
      let { order } = hold;
      const service = serviceOf(order);
      const opened = openedPayload(order, options.open);
      const unfit = opened.ok ? await options.preSendCheck?.(order) : opened.error;
      const stopped = (await options.isSuspended(order.accountId))
        ? decideSuspended(service, order, now())
        : unfit && decideUnfit(service, order, unfit, now());
      if (stopped || !opened.ok) {
        if (stopped && !accept) await recorder.apply("record", stopped);
        return;
      }
      const begunAt = now();
      const attempt = nextAttempt(order);
      const reference =
        attempt === order.attempt
          ? order.attemptReference
          : (route.provider.makeReference?.({ orderId: order.id, attempt }, begunAt) ?? null);
      const expiresAt = validUntilOf(service, order);
      const recorded = Promise.withResolvers<Answered>();
      const answeredLate = (piece: number, late: Outcome) => {
        const outcome = sealed(order, cleanOutcome(late));
        void recorded.promise
          .then((said) =>
            record(
              order,
              { ...said, outcomes: said.outcomes.map((_, at) => (at === piece ? outcome : undefined)) },
              true,
            ),
          )
          .catch((error: Error) => log.error({ error: error.stack, order: order.id }, "a late answer can't be stored"));
      };
      const task: ProviderTask = {
        ...taskFor({ ...order, expiresAt }, opened.value, attempt, reference, () => hold.mayStillSend()),
        answeredLate,
      };
      let isCallable = true;
      if (needsDurableBegin(order, route)) {
        const pieceCount = route.provider.pieceCount(task);
        const begin = decideBegin(service, order, route.settings.name, pieceCount, begunAt, reference);
        const begun = await (accept ?? commit)(begin);
        if (begun === "no") return;
        order = begin.after;
        isCallable = begun === "yes";
      }
      const before = attempt === order.attempt ? order.pieces : null;
      const answers = isCallable
        ? ((await route.guarded(order.recipient, () => sendPieces(route.provider, task, before))) ??
          notSent(before, LEFT_ALONE))
        : notSent(before, BEGIN_UNANSWERED);
      const outcomes = answers.map((answer) => answer && sealed(order, answer));
      alarm(route, order, outcomes);
      const answered: Answered = {
        route: route.settings.name,
        attempt,
        attemptReference: reference,
        begunAt,
        outcomes,
        moreRoutes: hasMoreRoutes(routes, service, order, route),
      };
      try {
        await record(order, answered);
      } catch (error) {
        // What can't be stored is as good as lost; forgetting it would send the order again and again.
        log.error({ error: (error as Error).stack, order: order.id }, "a vendor's answer can't be stored");
        await record(order, { ...answered, outcomes: outcomes.map((outcome) => outcome && unstorable(outcome)) });
      }
      recorded.resolve(answered);
    },

    async requery(hold, route) {
      const { order } = hold;
      const service = asAt(route, serviceOf(order));
      const task = questionFor(order, () => hold.mayStillSend());
      const said = cleanOutcome(
        (await route.provider.requery?.(task)) ?? { kind: "unknown", detail: "this vendor can't be asked" },
      );
      const outcome = sealed(order, said);
      await recorder.settle("record", order, (current) => {
        if (!isStillHeld(current, order)) return undefined;
        const moreRoutes = hasMoreRoutes(routes, service, current, route);
        return decideRequery(service, current, outcome, moreRoutes, now());
      });
    },
  };
}
