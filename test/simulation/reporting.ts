import { decideReport } from "../../src/orders/decide-report.ts";
import { guessAmbiguous } from "../../src/orders/match-report.ts";
import type { Change } from "../../src/orders/order.ts";
import type { ServiceDefinition } from "../../src/orders/service-definition.ts";
import type { ProviderReport } from "../../src/ports/provider.ts";
import type { Agenda } from "./agenda.ts";
import type { Node, Processes } from "./processes.ts";
import type { Promises } from "./promises.ts";
import type { Random } from "./random.ts";
import type { SimulatedStore } from "./store.ts";

/** What a vendor's own word meets, as in reports.ts. */
export interface SimulatedReports {
  arrive(node: Node, arrived: Arrived): void;
  /** Works off what was parked and can be matched by now. */
  replay(node: Node): void;
}

export interface Arrived {
  readonly route: string;
  readonly report: ProviderReport;
}

export interface ReportsOptions {
  readonly service: ServiceDefinition;
  readonly agenda: Agenda;
  readonly random: Random;
  readonly store: SimulatedStore;
  readonly promises: Promises;
  readonly processes: Processes;
}

/** A vendor that is not answered repeats itself. */
export const REPEATED_AFTER_MS = 1_000_000;

export function makeSimulatedReports(options: ReportsOptions): SimulatedReports {
  const { service, agenda, random, store, promises, processes } = options;
  const { nodes, nowOf, later, settle } = processes;
  let parked: Arrived[] = [];

  /** By its reference, else by what it echoes, else parked until its order can be known. */
  const match = (node: Node, { route, report }: Arrived) => {
    const order = store.read();
    const known = store.references.get(`${route} ${report.providerReference}`);
    if (known) return { order, match: { attempt: known.attempt, piece: known.piece }, learned: undefined };
    if (order.ambiguousAt === null || order.endedAt !== null) return undefined;
    return guessAmbiguous({ route, report }, [order], nowOf(node));
  };

  const meet = (node: Node, arrived: Arrived, done: () => void) => {
    const met = match(node, arrived);
    if (met === undefined) {
      parked.push(arrived);
      done();
      return;
    }
    let decided: Change | undefined;
    settle(
      node,
      met.order,
      (order) => {
        decided = decideReport(service, order, arrived.report, met.match, nowOf(node));
        return decided && met.learned ? { ...decided, references: [...decided.references, met.learned] } : decided;
      },
      () => {
        if (decided) promises.reported(decided.before, decided.after, arrived.report, met.match);
        done();
      },
    );
  };

  const replay = (node: Node) => {
    const waiting = parked.filter((one) => match(node, one) !== undefined);
    if (waiting.length === 0) return;
    parked = parked.filter((one) => !waiting.includes(one));
    for (const one of waiting) arrive(node, one);
  };

  /** A vendor repeats a report until it is acknowledged, and that is after the commit. */
  const arrive = (node: Node, arrived: Arrived) => {
    let acknowledged = false;
    const take = () => meet(node, arrived, () => (acknowledged = true));
    later(node, random.between(0, 5), take);
    agenda.after(REPEATED_AFTER_MS, () => {
      if (!acknowledged) arrive(random.pick(nodes), arrived);
    });
  };

  return { arrive, replay };
}
