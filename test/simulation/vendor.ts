import type { Ambiguity, Order } from "../../src/orders/order.ts";
import { correlationOf, type Outcome, type ProviderReport } from "../../src/ports/provider.ts";
import type { Agenda } from "./agenda.ts";
import type { Faults, Random } from "./random.ts";

/** After this the gateway stops waiting for an answer; the vendor takes a request within half of it or never. */
export const ANSWER_MS = 60_000;
const TAKES_WITHIN_MS = 30_000;

export interface SentRequest {
  readonly route: string;
  readonly attempt: number;
  readonly piece: number;
  /** Of ours, by which a vendor of purchases is asked. */
  readonly ours: string | null;
}

/** What a vendor really took: the truth, which nobody but the test sees. */
export interface Take extends SentRequest {
  readonly reference: string;
  /** What its order wants when answers are lost. */
  readonly ambiguity: Ambiguity;
  /** The vendor's last word: `pending` until there is one. */
  word: string;
  /** All its words. */
  readonly said: Set<string>;
  /**
   * It said "failed" and vended all the same, or refused what it then took of a node that had been frozen: what no gateway can
   * guard against.
   */
  lied: boolean;
  /** The vendor's enquiry desk knows nothing of it any more. Its callbacks still come. */
  forgotten: boolean;
}

/** All vendors of a history: each route is one. */
export interface SimulatedVendors {
  send(request: SentRequest, answer: (outcome: Outcome) => void): void;
  /** What is taken under this name from now on is not held against the gateway. */
  excuse(ours: string): void;
  requery(request: Omit<SentRequest, "piece">, answer: (outcome: Outcome) => void): void;
  readonly takes: readonly Take[];
  /** Requests on the wire that may still be taken, but for the excused. */
  readonly onTheWire: number;
}

export interface VendorsOptions {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly faults: Faults;
  readonly order: Order;
  /** How long a vendor's enquiry desk may not know what its counter took. */
  readonly lagMs: number;
  readonly report: (route: string, report: ProviderReport) => void;
  /** Set for vendors whose callbacks nobody can verify: they only hint. */
  readonly hint: ((take: Take, word: string) => void) | undefined;
  readonly taken: (take: Take) => void;
  /** Whether a node has recorded by this vendor's word that it has what goes by this name. */
  readonly isReportedAsTaken: (ours: string) => boolean;
  /** An enquiry desk has forgotten what its counter took. */
  readonly forgot: () => void;
  readonly tell: (line: () => string) => void;
}

export function makeVendors(options: VendorsOptions): SimulatedVendors {
  const { agenda, random, faults, order, lagMs, report, hint, taken, isReportedAsTaken, forgot, tell } = options;
  const takes: Take[] = [];
  const knownFromMs = new Map<Take, number>();
  const excused = new Set<string>();
  const buys = order.ambiguity === "requery";
  const onTheWire = new Set<SentRequest>();
  /** A name is taken once. */
  const isUsed = ({ route, ours }: SentRequest) =>
    buys && takes.some((take) => take.route === route && take.ours === ours);

  const say = (take: Take, word: string) => {
    take.word = word;
    take.said.add(word);
    tell(() => `${take.route} says of attempt ${take.attempt} part ${take.piece}: ${word}`);
    if (faults.happens("report missing")) return;
    const delayMs = () => (faults.happens("report late") ? random.between(0, 26 * 3_600_000) : random.between(0, 500));
    if (hint) {
      agenda.after(delayMs(), () => hint(take, word));
      if (faults.happens("report twice")) agenda.after(delayMs(), () => hint(take, word));
      return;
    }
    const hasCorrelation = !faults.happens("report without correlation");
    const one: ProviderReport = {
      providerReference: take.reference,
      status: word,
      at: new Date(agenda.nowMs),
      recipient: order.recipient,
      ...(hasCorrelation ? { correlation: correlationOf(order.id, take.attempt, take.piece) } : {}),
    };
    agenda.after(delayMs(), () => report(take.route, one));
    if (faults.happens("report twice")) agenda.after(delayMs(), () => report(take.route, one));
  };

  const takeOn = (request: SentRequest): Take => {
    const take: Take = {
      ...request,
      reference: `${request.route}-${takes.length + 1}`,
      ambiguity: order.ambiguity,
      word: "pending",
      said: new Set(),
      lied: request.ours !== null && excused.has(request.ours),
      forgotten: false,
    };
    takes.push(take);
    knownFromMs.set(take, agenda.nowMs + (faults.happens("not found yet") ? random.between(0, lagMs) : 0));
    tell(() => `${take.route} TAKES attempt ${take.attempt} part ${take.piece} as ${take.reference}`);
    taken(take);
    if (buys) agenda.after(random.pick([0, 200, 20_000, 900_000]), () => vend(take));
    else {
      if (random.chance(0.2)) agenda.after(random.between(0, 20_000), () => say(take, "sent"));
      const word = random.chance(0.8) ? "delivered" : random.pick(["undelivered", "expired", "rejected"]);
      agenda.after(random.pick([0, 1_000, 60_000, 7_200_000]), () => say(take, word));
    }
    return take;
  };

  const vend = (take: Take) => {
    say(take, random.chance(0.7) ? "successful" : "failed");
    if (take.word === "failed" && faults.happens("vended after it was called failed"))
      agenda.after(random.between(0, 3_600_000), () => {
        take.lied = true;
        say(take, "successful");
      });
    if (take.word === "successful" && faults.happens("reversed"))
      agenda.after(random.between(0, random.pick([1_000, 7_200_000])), () => say(take, "reversed"));
  };

  /** What the vendor says of a request that it took. */
  const wordOn = (take: Take): Outcome => {
    switch (take.word) {
      case "successful":
        return { kind: "done", ...named(take) };
      case "failed":
        return random.pick([FAILED_HERE, FAILED_HERE, REFUSED_HERE, REFUSED_EVERYWHERE]);
      case "reversed":
        return { kind: "reversed", detail: "taken back" };
      default:
        return { kind: "accepted", ...named(take) };
    }
  };
  const named = ({ reference }: Take) =>
    buys && faults.happens("vendor names no reference") ? {} : { providerReference: reference };

  return {
    takes,
    get onTheWire() {
      return [...onTheWire].filter((request) => !isUsed(request) && !excused.has(request.ours ?? "")).length;
    },
    send(request, answer) {
      const answerAfter = (ms: number, outcome: Outcome) => agenda.after(ms, () => answer(outcome));
      const quickMs = random.between(5, 200);
      if (faults.happens("throttled"))
        return answerAfter(quickMs, {
          kind: "throttled",
          retryAfterMs: random.pick([0, 1_000, 60_000]),
          detail: "busy",
        });
      if (request.piece > 0 && faults.happens("part refused")) return answerAfter(quickMs, REFUSED_EVERYWHERE);
      if (request.piece === 0 && faults.happens("refused here")) return answerAfter(quickMs, REFUSED_HERE);
      if (request.piece === 0 && faults.happens("refused everywhere")) return answerAfter(quickMs, REFUSED_EVERYWHERE);
      if (faults.happens("request lost")) return answerAfter(ANSWER_MS, LOST);
      // A request may be sent twice under one name.
      const travelling = { ...request };
      onTheWire.add(travelling);
      const lost = faults.happens("answer lost");
      agenda.after(lost ? random.between(0, TAKES_WITHIN_MS) : random.between(0, 1_000), () => {
        onTheWire.delete(travelling);
        if (isUsed(request)) {
          answerAfter(quickMs, USED_BEFORE);
          return;
        }
        const take = takeOn(request);
        if (lost) answerAfter(random.pick([quickMs, TAKES_WITHIN_MS]), LOST);
        else agenda.after(quickMs, () => answer(wordOn(buys ? take : { ...take, word: "pending" })));
      });
    },
    excuse: (ours) => void excused.add(ours),
    requery(request, answer) {
      agenda.after(random.between(5, 500), () => {
        const take = takes.findLast((one) => one.route === request.route && one.ours === request.ours);
        // One that forgets before its word was heard is one that has never had it: nobody can tell.
        const mayForget = take && !take.forgotten && request.ours !== null && isReportedAsTaken(request.ours);
        if (mayForget && faults.happens("vendor forgets")) {
          take.forgotten = true;
          forgot();
          tell(() => `${take.route} FORGETS ${take.reference}`);
        }
        const outcome: Outcome = faults.happens("vendor can't be asked")
          ? random.pick([LOST, { kind: "throttled", retryAfterMs: 1_000, detail: "busy" }] as const)
          : take && !take.forgotten && agenda.nowMs >= knownFromMs.get(take)!
            ? wordOn(take)
            : NOT_FOUND;
        agenda.after(random.between(5, 500), () => answer(outcome));
      });
    },
  };
}

const LOST: Outcome = { kind: "unknown", detail: "no answer" };
const USED_BEFORE: Outcome = { kind: "unknown", detail: "this reference was used before", isKnown: true };
export const NOT_FOUND = { kind: "not_found", detail: "no such request" } as const satisfies Outcome;
export const FAILED_HERE = {
  kind: "rejected",
  scope: "route",
  code: "vendor_failed",
  detail: "it failed",
} as const satisfies Outcome;
export const REFUSED_HERE = {
  kind: "rejected",
  scope: "route",
  code: "no_route",
  detail: "not here",
} as const satisfies Outcome;
const REFUSED_EVERYWHERE: Outcome = {
  kind: "rejected",
  scope: "order",
  code: "rejected_by_network",
  detail: "nowhere",
};
