import { DAY_MS, HOUR_MS } from "../../src/kernel/duration.ts";
import type { Uuid } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/kobo.ts";
import { type Ambiguity, type Order, queueOf } from "../../src/orders/order.ts";
import type { ServiceDefinition } from "../../src/orders/service-definition.ts";
import { SMS, type StoredSms } from "../../src/sms/sms.definition.ts";
import { makeAgenda } from "./agenda.ts";
import { makeGateway, type SimulatedGateway } from "./gateway.ts";
import { makeLedger } from "./ledger.ts";
import { NODES } from "./processes.ts";
import { makePromises } from "./promises.ts";
import { type Fault, type Faults, makeFaults, makeRandom, type Random } from "./random.ts";
import { LEASE_MS, makeStore } from "./store.ts";
import { TOP_UP } from "./top-up.definition.ts";
import { makeVendors, type SimulatedVendors } from "./vendor.ts";

/** One order from its acceptance until nothing is left to happen. */
export interface History {
  readonly seed: number;
  /** How many faults it may have. */
  readonly budget: number;
}

export interface Played {
  readonly order: Order;
  readonly faults: ReadonlySet<Fault>;
  readonly takes: number;
  /** What happened, a line each; empty unless asked for. */
  readonly lines: readonly string[];
  /** The promise that was broken. */
  readonly broken: Error | undefined;
}

/** Far more than any history needs: an order that goes round for ever is found by it. */
const STEPS_MAX = 20_000;
const FIRST_DAY_MS = Date.UTC(2026, 10, 27);
const WALLET_KOBO = 1_000_000n;
const PRICE = kobo(400);

export function play({ seed, budget }: History, options: { readonly tells: boolean }): Played {
  const random = makeRandom(seed);
  const agenda = makeAgenda(FIRST_DAY_MS + random.between(0, DAY_MS));
  const lines: string[] = [];
  const tell = (line: () => string) => {
    if (options.tells) lines.push(`${new Date(agenda.nowMs).toISOString()}  ${line()}`);
  };
  const ambiguity = random.pick(["retry", "fail", "requery"] as const);
  const service = ambiguity === "requery" ? TOP_UP : SMS;
  const first = newOrder(random, service, ambiguity, agenda.nowMs);
  const pieceCount = service === SMS ? random.pick([1, 1, 2, 3]) : 1;
  // Some vendors sign their callbacks, the others' words only lead to a question.
  const onlyHints = service === TOP_UP && random.chance(0.5);
  const faults: Faults = makeFaults(random, budget);
  // Two `not_found` prove something because they are further apart than a vendor lags and a clock jumps together.
  const lagMs = (service.purchaseWaits?.(first.mode).notFoundApartMs ?? HOUR_MS) / 4;
  tell(() => `a ${first.mode} ${service.service} of ${pieceCount} parts is accepted: ${ambiguity}, ${first.state}`);

  const ledger = makeLedger(WALLET_KOBO, PRICE);
  let vendors: SimulatedVendors;
  let gateway: SimulatedGateway;
  const promises = makePromises({
    service,
    ledger,
    vendors: () => vendors,
    faults,
    walletKobo: WALLET_KOBO,
    pieceCount,
  });
  const node = first.leaseEpoch === 1 ? NODES[0] : undefined;
  const dueMs = first.sendAt?.getTime() ?? agenda.nowMs;
  const store = makeStore(first, { dueMs, node, nowMs: agenda.nowMs }, promises.changed);
  vendors = makeVendors({
    agenda,
    random,
    faults,
    order: first,
    lagMs,
    report: (route, report) => gateway.report(route, report),
    hint: onlyHints ? (take, word) => gateway.hint(take.ours!, (met) => promises.hinted(take, word, met)) : undefined,
    taken: promises.taken,
    isReportedAsTaken: promises.isReportedAsTaken,
    forgot: () => gateway.resolve(),
    tell,
  });
  gateway = makeGateway({
    service,
    agenda,
    random,
    faults,
    store,
    vendors,
    promises,
    routes: ["north", "south"],
    pieceCount,
    jumpMs: service === SMS ? 7_200_000 : lagMs,
    tell,
  });

  let broken: Error | undefined;
  try {
    if (faults.happens("cancelled")) agenda.after(random.between(0, dueMs - agenda.nowMs + 1_000), gateway.cancel);
    if (node) gateway.handOver(store.read());
    for (let steps = 0; ; steps++) {
      if (steps > STEPS_MAX) throw new Error(`it never ends: ${store.read().state} after ${STEPS_MAX} steps`);
      const { nextMs } = gateway;
      if (nextMs !== undefined && (agenda.nextMs === undefined || nextMs <= agenda.nextMs)) {
        agenda.passTo(nextMs);
        gateway.poll();
      } else if (agenda.nextMs !== undefined) agenda.step();
      else break;
    }
    promises.ended(store.read());
  } catch (error) {
    broken = error as Error;
  }
  return { order: store.read(), faults: faults.happened, takes: vendors.takes.length, lines, broken };
}

function newOrder(random: Random, service: ServiceDefinition, ambiguity: Ambiguity, nowMs: number): Order {
  const isSms = service === SMS;
  const mode = random.pick(["live", "test"] as const);
  const sendAt = isSms && random.chance(0.2) ? new Date(nowMs + random.between(1_000, DAY_MS)) : null;
  const fromMs = sendAt?.getTime() ?? nowMs;
  const createdAt = new Date(nowMs);
  const isLeased = sendAt === null && random.chance(0.5);
  const sms: StoredSms = {
    from: "Afara",
    text: "Your code is 123456",
    encoding: "gsm7",
    segments: 1,
    route: random.pick(["transactional", "transactional", "promotional"]),
    network_guess: "mtn",
    quiet_hours: random.pick(["schedule", "fail"]),
  };
  return {
    accountId: "019aa000-0000-7000-8000-000000000001" as Uuid,
    id: `019aa000-0000-7000-8000-${random.hex(12)}` as Uuid,
    mode,
    service: service.service,
    queue: queueOf(service.service, mode),
    state: isSms ? (sendAt ? "scheduled" : "queued") : "processing",
    version: 1,
    priority: 0,
    leaseEpoch: isLeased ? 1 : 0,
    ambiguity,
    attempt: 0,
    route: null,
    attemptReference: null,
    begunAt: null,
    ambiguousAt: null,
    tries: 0,
    notFoundAt: null,
    failedAt: null,
    tried: [],
    pieces: null,
    priceKobo: PRICE,
    taxKobo: kobo(28),
    recipient: "2348031234567",
    groupId: null,
    reference: null,
    metadata: null,
    payload: isSms ? sms : {},
    facts: null,
    sendAt,
    expiresAt: isSms ? new Date(fromMs + random.pick([60_000, 600_000, DAY_MS])) : null,
    createdAt,
    updatedAt: createdAt,
    endedAt: null,
    dueAt: createdAt,
    leasedUntil: isLeased ? new Date(nowMs + LEASE_MS) : null,
  };
}

/** The same history with the fewest faults that still break a promise. */
export function shrink(history: History): History {
  for (let budget = 0; budget < history.budget; budget++) {
    const smaller = { ...history, budget };
    if (play(smaller, { tells: false }).broken) return smaller;
  }
  return history;
}
