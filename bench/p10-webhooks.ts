import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { SmscClient } from "../src/simulators/smsc/client.ts";
import type { Gateway } from "../src/testing/gateway.ts";
import { writeTestConfig } from "../src/testing/test-config.ts";
import { waitFor } from "../src/testing/wait-for.ts";
import { messages, startBench } from "./gateway.ts";
import { quiet, steadyRate } from "./p2-end-to-end.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 256;
const GOAL = 0.75;

/** P10: what P2's load costs more when each of its events is also delivered to a webhook endpoint that takes everything. */
export async function measureWebhooks({ seconds, rounds, progress }: BenchOptions): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-webhooks-"));
  const config = await writeTestConfig(dir);
  const bench = await startBench({ AFARA_CONFIG: config.path });
  const client = new SmscClient(config.controlPort, fetch);
  const receiver = new Worker(new URL("./webhook-receiver.ts", import.meta.url));
  const [port] = (await once(receiver, "message")) as [number];
  const taken = async () => {
    const told = once(receiver, "message");
    receiver.postMessage("count");
    return (await told)[0] as number;
  };
  const { gateway } = bench;
  const options = { connections: CONNECTIONS, seconds, requests: messages() };
  const round = () => steadyRate(client, load(gateway.base, options), seconds);
  const [without, with_, delivered, lagSeconds]: [number[], number[], number[], number[]] = [[], [], [], []];
  try {
    progress("P10: warming up …");
    await round();
    await quiet(client);
    for (let turn = 1; turn <= rounds; turn++) {
      without.push(await round());
      await quiet(client);
      const id = await subscribe(gateway, port);
      const [before, beganMs] = [await taken(), performance.now()];
      with_.push(await round());
      const endedMs = performance.now();
      delivered.push(((await taken()) - before) / ((endedMs - beganMs) / 1_000));
      await quiet(client);
      await nothingWaits(gateway, id, taken);
      lagSeconds.push((performance.now() - endedMs) / 1_000);
      await gateway.call("DELETE", `/webhooks/${id}`);
      progress(
        `P10 ${turn}/${rounds}: without ${without.at(-1)!.toFixed(0)}/s, with ${with_.at(-1)!.toFixed(0)}/s end to end and ${delivered.at(-1)!.toFixed(0)} deliveries/s; ${lagSeconds.at(-1)!.toFixed(1)} s until the last was delivered`,
      );
    }
  } finally {
    await receiver.terminate();
    await bench.stop();
    await rm(dir, { recursive: true, force: true });
  }
  const ratio = median(with_.map((rate, index) => rate / without[index]!));
  return {
    id: "P10",
    what: "P2's load with each event delivered to a webhook, against the same without one",
    goal: `≥ ${GOAL} of its rate`,
    reached: ratio >= GOAL,
    value: `${ratio.toFixed(2)} of its rate, ${median(delivered).toFixed(0)} deliveries/s`,
    figures: { ratio, withoutPerSecond: without, withPerSecond: with_, deliveredPerSecond: delivered, lagSeconds },
  };
}

async function subscribe(gateway: Gateway, port: number): Promise<string> {
  const { body } = await gateway.call<{ id: string }>("POST", "/webhooks", { url: `http://127.0.0.1:${port}/` });
  await waitFor(
    "an active endpoint",
    async () => (await gateway.call("GET", `/webhooks/${body.id}`)).body.status === "active",
  );
  return body.id;
}

/** Until a second passes in which nothing was delivered. */
async function nothingWaits(gateway: Gateway, id: string, taken: () => Promise<number>): Promise<void> {
  for (let before = -1, now = 0; before !== now; ) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    now = await taken();
  }
  const { body } = await gateway.call<{ waiting: number }>("GET", `/webhooks/${id}`);
  if (body.waiting > 0) throw new Error(`${body.waiting} events wait`);
}
