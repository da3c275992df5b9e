import { mayHeal, runBatchOrSingly } from "../db/retry-batch.ts";
import { SECOND_MS } from "../kernel/duration.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import { type Entry, sizeOf } from "./entry.ts";

/** Writes entries to the database in batches, beside the requests that they are about. */
export interface Writer {
  /** Returns at once. What does not fit is dropped, and counted. */
  add(entry: Entry): void;
  /** Writes what waits, as far as the database takes it. Never rejects. */
  flush(): Promise<void>;
}

export interface WriterOptions {
  readonly insert: (entries: readonly Entry[]) => Promise<void>;
  /** Makes room for the entries' days: an insert fails without. */
  readonly makeRoom: () => Promise<void>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Default: `setTimeout`. */
  readonly later?: (act: () => void, ms: number) => void;
  readonly waitingMax?: { readonly entries: number; readonly bytes: number };
}

/** One statement's worth. */
const BATCH = 500;
const EVERY_MS = SECOND_MS;
/** Some seconds of the most that a node answers, for a database that is slow or away. */
const WAITING_MAX = { entries: 10_000, bytes: 32 * 1024 * 1024 };
const UNDEFINED_PARTITION = "23514";

export function makeWriter({
  insert,
  makeRoom,
  log,
  metrics,
  later = unrefTimeout,
  ...options
}: WriterOptions): Writer {
  const max = options.waitingMax ?? WAITING_MAX;
  const kept = metrics.counter({
    name: "afara_request_log_kept_total",
    help: "Requests written to the request log.",
  });
  const dropped = metrics.counter<"reason">({
    name: "afara_request_log_dropped_total",
    help: "Requests missing in the request log: `full`, as more waited than fit into memory; `failed`, as the database refused them.",
    labels: ["reason"],
  });
  for (const reason of ["full", "failed"]) dropped.add(0, reason);
  let waiting: Entry[] = [];
  let bytes = 0;
  let isTimed = false;
  let isAway = false;
  let writing: Promise<void> | undefined;

  const take = (): readonly Entry[] => {
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    for (const entry of batch) bytes -= sizeOf(entry);
    return batch;
  };
  const putBack = (batch: readonly Entry[]): void => {
    waiting = [...batch, ...waiting];
    for (const entry of batch) bytes += sizeOf(entry);
  };

  const insertSomewhere = async (batch: readonly Entry[]): Promise<readonly true[]> => {
    await insert(batch).catch(async (error: { readonly code?: string }) => {
      if (error.code !== UNDEFINED_PARTITION) throw error;
      await makeRoom();
      await insert(batch);
    });
    return batch.map(() => true);
  };

  /** False: the database is away, and what it did not take waits on. An entry that it refuses costs no other its place. */
  const write = async (batch: readonly Entry[]): Promise<boolean> => {
    const answers = await runBatchOrSingly(batch, insertSomewhere).catch((error: Error) => batch.map(() => error));
    const away = batch.filter((_, index) => mayHeal(answers[index]));
    const refused = answers.filter((answer) => answer !== true && !mayHeal(answer));
    kept.add(batch.length - away.length - refused.length);
    if (refused.length > 0) {
      dropped.add(refused.length, "failed");
      log.warn({ err: refused[0], requests: refused.length }, "requests could not be written to the request log");
    }
    putBack(away);
    return away.length === 0;
  };

  const writeAll = async (): Promise<void> => {
    isAway = false;
    while (!isAway && waiting.length > 0) isAway = !(await write(take()));
    if (waiting.length > 0) flushLater();
  };

  const flush = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  };

  const flushLater = (): void => {
    if (isTimed) return;
    isTimed = true;
    later(() => {
      isTimed = false;
      void flush();
    }, EVERY_MS);
  };

  return {
    add(entry) {
      const size = sizeOf(entry);
      if (waiting.length >= max.entries || bytes + size > max.bytes) {
        dropped.add(1, "full");
        return;
      }
      waiting.push(entry);
      bytes += size;
      if (waiting.length >= BATCH && !isAway) void flush();
      else flushLater();
    },
    flush,
  };
}

const unrefTimeout = (act: () => void, ms: number): void => void setTimeout(act, ms).unref();
