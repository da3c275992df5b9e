import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { type Consumed, type Consumption, type Counters, remainingOf } from "./memory-counters.ts";

interface Script {
  readonly text: string;
  readonly digest: string;
}

const script = (text: string): Script => ({ text, digest: createHash("sha1").update(text).digest("hex") });

/**
 * For each consumption: all of its counters or none. A counter is a hash of its window and the points used in it; one of an ended
 * window counts as empty, and expires by itself. Windows follow the server's clock, so that all nodes agree on them.
 * ARGV: for each consumption its points and its number of counters, then each counter's limit and window in seconds.
 * Returns the time in ms, then for each counter the points used before.
 */
const TAKE = script(`
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local answer = { now }
local arg, key = 1, 1
while arg <= #ARGV do
  local points, counters = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
  arg = arg + 2
  local used, allowed = {}, true
  for i = 0, counters - 1 do
    local limit, seconds = tonumber(ARGV[arg + 2 * i]), tonumber(ARGV[arg + 2 * i + 1])
    local kept = redis.call('HMGET', KEYS[key + i], 'window', 'used')
    used[i] = kept[1] == tostring(math.floor(now / 1000 / seconds)) and tonumber(kept[2]) or 0
    answer[#answer + 1] = used[i]
    if used[i] + points > limit then allowed = false end
  end
  if allowed and points > 0 then
    for i = 0, counters - 1 do
      local seconds = tonumber(ARGV[arg + 2 * i + 1])
      local window = math.floor(now / 1000 / seconds)
      redis.call('HSET', KEYS[key + i], 'window', tostring(window), 'used', used[i] + points)
      redis.call('EXPIREAT', KEYS[key + i], (window + 1) * seconds + 1)
    end
  end
  arg = arg + 2 * counters
  key = key + counters
end
return answer`);

/** ARGV: for each counter the window and the points that it was given. */
const GIVE_BACK = script(`
for i, key in ipairs(KEYS) do
  local kept = redis.call('HMGET', key, 'window', 'used')
  if kept[1] == ARGV[2 * i - 1] then
    redis.call('HSET', key, 'used', math.max(0, tonumber(kept[2]) - tonumber(ARGV[2 * i])))
  end
end
return 0`);

/** A request waits no longer for its decision. */
const ANSWER_MS = 50;
const CONNECT_MS = 1_000;
const RECONNECT_MS = 250;
/** Consumptions per call: a large bulk must not stop the server for everybody else. */
const BATCH_MAX = 500;

/** Names of keys begin with this. The braces put all of them into one slot of a cluster, as one script may touch several. */
const PREFIX = "{afara}:count";

/** Counters in Valkey or Redis, exact for all nodes that share it. Rejects when it does not answer in time. */
export class RedisCounters implements Counters {
  readonly #redis: Redis;
  readonly #answerMs: number;
  /** Why there is no connection; undefined while none was tried, or the last one stands. */
  #away: string | undefined;

  constructor(url: string, answerMs: number = ANSWER_MS) {
    this.#answerMs = answerMs;
    this.#redis = new Redis(url, {
      connectTimeout: CONNECT_MS,
      retryStrategy: () => RECONNECT_MS,
      // While it is away a request is decided elsewhere, and must not be counted here once more later.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    });
    // Each caller's own promise fails; what it is told of is the package's queue, so the cause is kept here.
    this.#redis.on("error", (error: NodeJS.ErrnoException) => {
      this.#away = error.message || error.code;
    });
    this.#redis.on("ready", () => {
      this.#away = undefined;
    });
  }

  async consume(consumptions: readonly Consumption[]): Promise<readonly Consumed[]> {
    const consumed: Consumed[] = [];
    for (let start = 0; start < consumptions.length; start += BATCH_MAX)
      consumed.push(...(await this.#consumeBatch(consumptions.slice(start, start + BATCH_MAX))));
    return consumed;
  }

  async giveBack(consumed: readonly Consumed[]): Promise<void> {
    const counted = consumed.flatMap(({ consumption, allowed, remaining }) =>
      allowed && consumption.points > 0
        ? consumption.limits.map((count, index) => ({
            key: keyOf(count),
            args: [remaining[index]!.window, consumption.points],
          }))
        : [],
    );
    for (let start = 0; start < counted.length; start += BATCH_MAX) {
      const batch = counted.slice(start, start + BATCH_MAX);
      const keys = batch.map(({ key }) => key);
      const args = batch.flatMap((one) => one.args);
      await this.#inTime(this.#run(GIVE_BACK, keys, args));
    }
  }

  close(): void {
    this.#redis.disconnect();
  }

  async #consumeBatch(consumptions: readonly Consumption[]): Promise<readonly Consumed[]> {
    const keys = consumptions.flatMap(({ limits }) => limits.map(keyOf));
    const args = consumptions.flatMap(({ points, limits }) => [
      points,
      limits.length,
      ...limits.flatMap(({ limit, windowSeconds }) => [limit, windowSeconds]),
    ]);
    const [nowMs, ...before] = (await this.#inTime(this.#run(TAKE, keys, args))) as [number, ...number[]];
    let next = 0;
    return consumptions.map((consumption) => {
      const used = before.slice(next, next + consumption.limits.length);
      next += consumption.limits.length;
      return consumedOf(consumption, used, nowMs);
    });
  }

  /** The server knows a script by its digest; one that it has not seen is sent in full. */
  async #run({ text, digest }: Script, keys: readonly string[], args: readonly number[]): Promise<unknown> {
    try {
      return await this.#redis.evalsha(digest, keys.length, ...keys, ...args);
    } catch (error) {
      if (this.#redis.status !== "ready") throw new Error(this.#away ?? "there is no connection", { cause: error });
      if (!(error as Error).message.startsWith("NOSCRIPT")) throw error;
      return this.#redis.eval(text, keys.length, ...keys, ...args);
    }
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // When this process was busy, an answer that came in time lies unread: it is looked for once more.
      const timer = setTimeout(
        () => setImmediate(reject, new Error(`no answer within ${this.#answerMs} ms`)),
        this.#answerMs,
      );
      answer.finally(() => clearTimeout(timer)).then(resolve, reject);
    });
  }
}

const keyOf = ({ name, windowSeconds }: { readonly name: string; readonly windowSeconds: number }): string =>
  `${PREFIX}:${windowSeconds}:${name}`;

function consumedOf(consumption: Consumption, before: readonly number[], nowMs: number): Consumed {
  const hadRoom = consumption.limits.map(({ limit }, index) => before[index]! + consumption.points <= limit);
  const allowed = !hadRoom.includes(false);
  const remaining = consumption.limits.map((count, index) =>
    remainingOf(count, before[index]! + (allowed ? consumption.points : 0), hadRoom[index]!, nowMs),
  );
  return { consumption, allowed, remaining };
}
