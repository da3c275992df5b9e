import { Worker } from "node:worker_threads";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { ReceiptDocument } from "./receipt.ts";
import type { Printed, PrintJob } from "./receipt.worker.ts";

/**
 * Writes receipts as PDF in a thread of its own: one takes some 50 ms of computing, and nothing else of the gateway shall wait
 * for it. The thread starts with the first receipt and never keeps the process alive.
 */
export interface ReceiptPrinter {
  /** Errors: `overloaded` when too many wait. Rejects when the receipt can't be written. */
  print(receipt: ReceiptDocument): Promise<Result<Buffer>>;
  /** Ends the thread, with what it has not written yet. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (error: Error) => void;
}

const WAITING_MAX = 100;

export function makeReceiptPrinter(): ReceiptPrinter {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let number = 0;

  const start = (): Worker => {
    const started = new Worker(new URL("./receipt.worker.ts", import.meta.url));
    started.unref();
    started.on("message", ({ number, pdf, fault }: Printed) => {
      const waits = waiting.get(number);
      waiting.delete(number);
      if (pdf) waits?.resolve(Buffer.from(pdf));
      else waits?.reject(new Error(`a receipt can't be written: ${fault}`));
    });
    started.on("error", (error) => end(error));
    return started;
  };

  /** The thread broke: whoever waits is told, and the next receipt starts another. */
  const end = (error: unknown) => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error instanceof Error ? error : new Error(String(error)));
    waiting.clear();
  };

  return {
    async print(receipt) {
      if (waiting.size >= WAITING_MAX) return refuse(TOO_MANY);
      worker ??= start();
      number += 1;
      const job: PrintJob = { number, receipt };
      const pdf = new Promise<Buffer>((resolve, reject) => waiting.set(job.number, { resolve, reject }));
      worker.postMessage(job);
      return ok(await pdf);
    },
    async close() {
      const ended = worker;
      end(new Error("the printer is closed"));
      await ended?.terminate();
    },
  };
}

const TOO_MANY = refusal("overloaded", "Many receipts are being written just now. Try again in a second.", {
  retryAfterSeconds: 1,
});
