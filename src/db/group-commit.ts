/**
 * Group commit: items that arrive during a commit share the next one. No timer: at low load an item is committed alone and at
 * once; at high load batches grow by themselves, so that one round trip and one fsync serve many items.
 */
export interface CommitLane<Item, Answer> {
  submit(item: Item): Promise<Answer>;
  /** Items waiting for their batch. */
  readonly waiting: number;
  /** Resolves when nothing is waiting or in progress. */
  idle(): Promise<void>;
}

export interface CommitLaneOptions<Item, Answer> {
  /** Maximum batch size: a larger batch holds row locks too long for the fsyncs it saves. */
  readonly batchMax: number;
  /** Concurrent batches. */
  readonly concurrency?: number;
  /** Items with equal keys never share a batch: the later one waits for the next batch. */
  readonly keysOf?: (item: Item) => readonly string[];
  /** Called with each batch's items as it is taken. */
  readonly onBatch?: (items: readonly Item[]) => void;
  /** One answer for each item, in order. An item's own failure is an Error in its place; a throw fails the whole batch. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export function makeCommitLane<Item, Answer>(options: CommitLaneOptions<Item, Answer>): CommitLane<Item, Answer> {
  const { batchMax, concurrency = 1, keysOf, onBatch, run } = options;
  let queue: Waiting<Item, Answer>[] = [];
  let running = 0;
  let scheduled = false;
  const busyKeys = new Set<string>();
  let whenIdle: (() => void)[] = [];

  const takeBatch = (): Waiting<Item, Answer>[] => {
    if (!keysOf) return queue.splice(0, batchMax);
    const batch: Waiting<Item, Answer>[] = [];
    const rest: Waiting<Item, Answer>[] = [];
    for (const waiting of queue) {
      const keys = batch.length < batchMax ? keysOf(waiting.item) : undefined;
      if (keys?.every((key) => !busyKeys.has(key))) {
        for (const key of keys) busyKeys.add(key);
        batch.push(waiting);
      } else rest.push(waiting);
    }
    queue = rest;
    return batch;
  };

  const settle = async (batch: readonly Waiting<Item, Answer>[]) => {
    const items = batch.map((waiting) => waiting.item);
    onBatch?.(items);
    try {
      const answers = await run(items);
      for (const [index, waiting] of batch.entries()) {
        const answer = answers[index];
        if (answer instanceof Error) waiting.reject(answer);
        else waiting.resolve(answer as Answer);
      }
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
    if (keysOf) for (const waiting of batch) for (const key of keysOf(waiting.item)) busyKeys.delete(key);
    running -= 1;
    pump();
  };

  const pump = () => {
    while (running < concurrency && queue.length > 0) {
      const batch = takeBatch();
      if (batch.length === 0) break;
      running += 1;
      void settle(batch);
    }
    if (running === 0 && queue.length === 0) {
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    }
  };

  return {
    submit: (item) =>
      new Promise<Answer>((resolve, reject) => {
        queue.push({ item, resolve, reject });
        if (scheduled) return;
        // Requests parsed in the same turn of the event loop share a batch.
        scheduled = true;
        setImmediate(() => {
          scheduled = false;
          pump();
        });
      }),
    get waiting() {
      return queue.length;
    },
    idle: () =>
      running === 0 && queue.length === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve)),
  };
}
