import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { ScriptedSmsc } from "../providers/smpp/scripted-smsc.ts";

/** What the SMSC does with each submit. */
interface ThreadOptions {
  /** From a submit to its answer. */
  readonly answerAfterMs: number;
  /** From the answer to the receipt that it was delivered; none unless told. */
  readonly receiptAfterMs?: number;
}

export interface SmscThread {
  readonly port: number;
  /** Submits that have come. */
  readonly submits: number;
  /** Submits that it has answered. */
  readonly answered: number;
  close(): Promise<void>;
}

/** An SMSC in a thread of its own: it goes on while the test's own event loop stands still. */
export async function startSmscThread(options: ThreadOptions): Promise<SmscThread> {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...options, counts } });
  const [port] = (await once(worker, "message")) as [number];
  return {
    port,
    get submits() {
      return Atomics.load(counts, 0);
    },
    get answered() {
      return Atomics.load(counts, 1);
    },
    close: async () => void (await worker.terminate()),
  };
}

/** Stands still as a long computation does, at the worst moment: what comes next in the loop are the timers, before the sockets. */
export async function standStill(ms: number): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  const until = performance.now() + ms;
  while (performance.now() < until);
}

if (!isMainThread && parentPort && (workerData as { counts?: unknown } | null)?.counts) {
  const { answerAfterMs, receiptAfterMs, counts } = workerData as ThreadOptions & { counts: Int32Array };
  const smsc = await ScriptedSmsc.listen();
  let sequence = 0;
  smsc.script = {
    submit_sm(connection, submit) {
      const id = String(Atomics.add(counts, 0, 1) + 1);
      setTimeout(() => {
        connection.respond(submit, { message_id: id });
        Atomics.add(counts, 1, 1);
        if (receiptAfterMs === undefined) return;
        setTimeout(
          () =>
            connection.send({
              command: "deliver_sm",
              sequence: ++sequence,
              esm_class: 0x04,
              source_addr: submit.destination_addr,
              destination_addr: submit.source_addr,
              short_message: Buffer.from(`id:${id} stat:DELIVRD err:000`),
            }),
          receiptAfterMs,
        );
      }, answerAfterMs);
    },
  };
  parentPort.postMessage(smsc.port);
}
