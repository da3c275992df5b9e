import { type Bare, startBare } from "./bare.ts";
import { cpuMsOf } from "./cpu.ts";
import { type Bench, messages, startBench, usedSince } from "./gateway.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";
import { load, type Sent } from "./wrk.ts";

const CONNECTIONS = 256;
const ACCOUNTS = 100;
const GOAL = 0.5;
/** Share of a core that the bare side must use: with less the load, or other work on the machine, was the limit, and the round is void. */
const BARE_CORES_MIN = 0.9;

/** What one side did in one round, and what it used for a request. */
interface Side {
  readonly perSecond: number;
  readonly failed: number;
  readonly cores: number;
  readonly postgresCores: number;
  readonly generatorCores: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * P1: how many messages a second are accepted and committed, from one account and from a hundred, against a Fastify that stores
 * nothing. The gateway runs as an `api` node: what is measured is acceptance, and the dispatcher is P2's.
 */
export async function measureAccept({ seconds, rounds, progress }: BenchOptions): Promise<Result> {
  const bare = await startBare();
  const bench = await startBench({ AFARA_ROLE: "api" });
  const one = messages();
  const hundred = messages(await bench.keys(ACCOUNTS));
  const sides: Record<"bare" | "one" | "hundred", Side[]> = { bare: [], one: [], hundred: [] };
  let voided = 0;
  try {
    progress("P1: warming up …");
    await bareSide(bare, 2);
    await ourSide(bench, one, 3);
    for (let round = 1; round <= rounds; round++) {
      const [theirs, ours, many] = [
        await bareSide(bare, seconds),
        await ourSide(bench, one, seconds),
        await ourSide(bench, hundred, seconds),
      ];
      const isVoid = theirs.cores < BARE_CORES_MIN;
      progress(`P1 ${round}/${rounds}: bare ${told(theirs)}; Afara ${told(ours)}; ${ACCOUNTS} accounts ${told(many)}`);
      if (isVoid) {
        voided += 1;
        progress(
          `P1 ${round}/${rounds} is void: the load or other work on the machine was the limit, not the bare Fastify.`,
        );
        continue;
      }
      sides.bare.push(theirs);
      sides.one.push(ours);
      sides.hundred.push(many);
    }
  } finally {
    bare.stop();
    await bench.stop();
  }
  const base = {
    id: "P1" as const,
    what: `POST /sms/send accepted and committed, ${CONNECTIONS} connections by wrk, against a bare Fastify`,
    goal: `≥ ${GOAL} of its rate`,
  };
  if (sides.bare.length === 0) {
    return {
      ...base,
      reached: undefined,
      value: "no round counts",
      figures: { voided },
      note: "something else was the limit",
    };
  }
  const ratioOf = (ours: readonly Side[]) =>
    median(ours.map((side, round) => side.perSecond / sides.bare[round]!.perSecond));
  const of = (side: readonly Side[], figure: keyof Side) => side.map((round) => round[figure]);
  const [ratio, ratioOf100] = [ratioOf(sides.one), ratioOf(sides.hundred)];
  const refused = [...sides.one, ...sides.hundred].reduce((sum, { failed }) => sum + failed, 0);
  return {
    ...base,
    reached: ratio >= GOAL && refused === 0,
    value: `${ratio.toFixed(2)} of its rate, ${ratioOf100.toFixed(2)} from ${ACCOUNTS} accounts`,
    figures: {
      ratio,
      ratioOf100,
      afaraPerSecond: of(sides.one, "perSecond"),
      hundredPerSecond: of(sides.hundred, "perSecond"),
      barePerSecond: of(sides.bare, "perSecond"),
      gatewayCores: of(sides.one, "cores"),
      postgresCores: of(sides.one, "postgresCores"),
      bareCores: of(sides.bare, "cores"),
      p99Ms: of(sides.one, "p99"),
      refused,
      voided,
    },
  };
}

async function bareSide(bare: Bare, seconds: number): Promise<Side> {
  const beforeMs = cpuMsOf(bare.pid);
  const run = await load(bare.base, { connections: CONNECTIONS, seconds, requests: messages() });
  return { ...run, ...run.latencyMs, cores: (cpuMsOf(bare.pid) - beforeMs) / (seconds * 1_000), postgresCores: 0 };
}

async function ourSide(bench: Bench, requests: readonly Sent[], seconds: number): Promise<Side> {
  const before = await bench.used();
  const run = await load(bench.gateway.base, { connections: CONNECTIONS, seconds, requests });
  const { gatewayMs, postgresMs } = usedSince(before, await bench.used());
  const cores = (ms: number) => ms / (seconds * 1_000);
  return { ...run, ...run.latencyMs, cores: cores(gatewayMs), postgresCores: cores(postgresMs) };
}

const told = ({ perSecond, cores, postgresCores, generatorCores, p99 }: Side): string =>
  `${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(0)} ms (cores: itself ${cores.toFixed(2)}${postgresCores > 0 ? `, PostgreSQL ${postgresCores.toFixed(2)}` : ""}, wrk ${generatorCores.toFixed(2)})`;
