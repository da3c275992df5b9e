import { parentPort } from "node:worker_threads";
import { receiptPdf } from "./receipt.pdf.ts";
import type { ReceiptDocument } from "./receipt.ts";

/** The thread that writes receipts; see receipt-printer.ts. */

export interface PrintJob {
  readonly number: number;
  readonly receipt: ReceiptDocument;
}

export interface Printed {
  readonly number: number;
  /** Undefined: it could not be written, for `fault`. */
  readonly pdf?: Uint8Array;
  readonly fault?: string;
}

parentPort?.on("message", async ({ number, receipt }: PrintJob) => {
  try {
    parentPort?.postMessage({ number, pdf: await receiptPdf(receipt) } satisfies Printed);
  } catch (error) {
    parentPort?.postMessage({ number, fault: (error as Error).message } satisfies Printed);
  }
});
