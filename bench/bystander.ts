import { parentPort, workerData } from "node:worker_threads";

/** A subscriber who sends one message every `everyMs`, whatever became of the one before; in a thread of its own, so that the load's own work is no part of the times. */
export interface BystanderData {
  readonly base: string;
  readonly key: string;
  readonly everyMs: number;
  /** A bystander gives up after this long. */
  readonly patienceMs: number;
}

export interface BystanderTimes {
  readonly ms: readonly number[];
  /** Without an answer of 202 in time. */
  readonly failed: readonly string[];
}

const { base, key, everyMs, patienceMs } = workerData as BystanderData;
const port = parentPort!;
let ms: number[] = [];
let failed: string[] = [];
let open = 0;
let sent = 0;

const send = async () => {
  open += 1;
  const startedMs = performance.now();
  try {
    const answer = await fetch(`${base}/sms/send`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({ to: `+234703${String(sent++).padStart(7, "0")}`, message: "Your code is 4471" }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.arrayBuffer();
    if (answer.status !== 202) failed.push(String(answer.status));
  } catch (error) {
    failed.push((error as Error).name);
  }
  ms.push(performance.now() - startedMs);
  open -= 1;
};

let timer: NodeJS.Timeout | undefined;
port.on("message", (word: "start" | "stop") => {
  if (word === "start") {
    ms = [];
    failed = [];
    timer = setInterval(() => void send(), everyMs);
    return;
  }
  clearInterval(timer);
  const settle = () => {
    if (open > 0) setTimeout(settle, 20);
    else port.postMessage({ ms, failed } satisfies BystanderTimes);
  };
  settle();
});
