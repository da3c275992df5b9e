import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { invariant } from "../../kernel/result.ts";
import { SIGNATURE_HEADER, signatureOf } from "../../providers/paystack/wire/signature.ts";
import { readBody } from "../vendors/bodies.ts";
import { Bank, type Transaction } from "./bank.ts";
import { control } from "./control.ts";
import { answerWith, type Fault, type FaultKind } from "./faults.ts";
import { vendor } from "./vendor.ts";
import { transactionView } from "./views.ts";
import type { Delivery, PaystackOptions, PaystackWorld } from "./world.ts";

const BODY_BYTES_MAX = 256 * 1024;
const WEBHOOK_MS_MAX = 10_000;

/** Paystack's API, as far as wallets need it, with a control API under `/control` that says what payers and faults do. */
export class PaystackSimulator implements PaystackWorld {
  readonly bank: Bank;
  readonly options: PaystackOptions;
  /** Path and method of every call to the vendor's API, the oldest first. */
  readonly calls: string[] = [];
  faults: Fault[] = [];
  callbackUrl: string | undefined;
  readonly #server: Server;

  constructor(options: PaystackOptions) {
    this.options = options;
    this.callbackUrl = options.callbackUrl;
    this.bank = new Bank(options.clock);
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch((error: Error) =>
        answerWith(response, 500, { status: false, message: error.message }),
      );
    });
  }

  /** Resolves with the port. */
  start(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.options.port ?? 0, this.options.host ?? "127.0.0.1", () => resolve(this.port));
    });
  }

  get port(): number {
    const address = this.#server.address();
    invariant(typeof address === "object" && address, "the simulator listens");
    return address.port;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  get domain(): "test" | "live" {
    return this.options.secretKey.startsWith("sk_test_") ? "test" : "live";
  }

  /** Sends `charge.success`; resolves with the gateway's statuses, 0 where there was no answer. */
  async report(transaction: Transaction, delivery: Delivery = {}): Promise<readonly number[]> {
    const { times = 1, delayMs = 0, wrongSignature = false } = delivery;
    const body = JSON.stringify({ event: "charge.success", data: transactionView(transaction, this.domain) });
    const signature = signatureOf(wrongSignature ? "sk_of_somebody_else" : this.options.secretKey, body);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return Promise.all(Array.from({ length: times }, () => this.#post(body, signature)));
  }

  async #post(body: string, signature: string): Promise<number> {
    if (this.callbackUrl === undefined) return 0;
    try {
      const response = await this.options.fetch(this.callbackUrl, {
        method: "POST",
        headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signature },
        body,
        signal: AbortSignal.timeout(WEBHOOK_MS_MAX),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://simulator");
    const method = request.method ?? "GET";
    const read = readBody(request.headers["content-type"] ?? "", await bytesOf(request));
    const body = typeof read === "object" && read !== null ? (read as Readonly<Record<string, unknown>>) : {};
    if (pathname.startsWith("/control/")) {
      const reply = await control(this, method, pathname.slice("/control".length), body);
      return answerWith(response, reply?.status ?? 404, reply?.body ?? { error: "there is no such control" });
    }
    const { authorization } = request.headers;
    const reply = vendor(this, { method, path: pathname, query: searchParams, body, authorization });
    if (reply?.html !== undefined) {
      response.writeHead(reply.status, { "content-type": "text/html; charset=utf-8" }).end(reply.html);
      return;
    }
    this.calls.push(`${method} ${pathname}`);
    const missing = { status: false, message: "Endpoint not found" };
    answerWith(response, reply?.status ?? 404, reply?.body ?? missing, this.#faultFor(pathname));
  }

  #faultFor(path: string): FaultKind | undefined {
    const fault = this.faults.find((candidate) => candidate.times > 0 && path.includes(candidate.path));
    if (fault) fault.times -= 1;
    return fault?.kind;
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
