import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { invariant } from "../../kernel/result.ts";
import { sendAnswer } from "./answer.ts";
import { readBody } from "./bodies.ts";
import { CallbackSender } from "./callbacks.ts";
import { controlUrl } from "./client.ts";
import { answerControl } from "./control.ts";
import { VendorStore } from "./store.repo.ts";
import type { VendorAnswer, VendorRequest, VendorSimulator } from "./vendor.ts";
import { VendorWorld } from "./world.ts";

export interface VendorSimulatorsOptions {
  readonly vendors: readonly VendorSimulator[];
  readonly dataDir: string;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly host?: string;
  /** By vendor; 0 or absent: a free one. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly controlPort?: number;
}

export interface VendorPorts {
  readonly ports: Readonly<Record<string, number>>;
  readonly controlPort: number;
}

const BODY_BYTES_MAX = 256 * 1024;
/** In the data directory: the address of the control API, for people at a shell, as its port is most often a free one. */
const CONTROL_URL_FILE = "control-url";

/** All vendors with HTTP in one process: a port for each, one store and field, one control API. */
export class VendorSimulators {
  readonly #options: VendorSimulatorsOptions;
  readonly #store: VendorStore;
  readonly #callbacks: CallbackSender;
  readonly #servers: Server[] = [];

  constructor(options: VendorSimulatorsOptions) {
    this.#options = options;
    this.#store = new VendorStore(options.dataDir);
    this.#callbacks = new CallbackSender({
      store: this.#store,
      vendors: options.vendors,
      now: () => this.#now(),
      fetch: options.fetch,
      urlOf: (vendor) => this.#store.kept(vendor, "callback-url") as string | undefined,
    });
  }

  async start(): Promise<VendorPorts> {
    const { vendors, dataDir, host = "127.0.0.1", ports = {}, controlPort = 0 } = this.#options;
    const listening: Record<string, number> = {};
    for (const vendor of vendors)
      listening[vendor.name] = await this.#listen(
        ports[vendor.name] ?? 0,
        (request) => this.#vend(vendor, request),
        vendor.bodyBytesMax,
      );
    const control = await this.#listen(controlPort, (request) =>
      answerControl({ store: this.#store, vendors, now: this.#now() }, request),
    );
    writeFileSync(join(dataDir, CONTROL_URL_FILE), `${controlUrl(control, host)}\n`);
    this.#callbacks.start();
    return { ports: listening, controlPort: control };
  }

  async stop(): Promise<void> {
    this.#callbacks.stop();
    await Promise.all(
      this.#servers.splice(0).map(
        (server) =>
          new Promise<void>((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      ),
    );
    this.#store.close();
  }

  #vend(vendor: VendorSimulator, request: VendorRequest): VendorAnswer {
    const now = this.#now();
    return this.#store.transaction(() => {
      const answer = vendor.handle(request, new VendorWorld(vendor.name, vendor.settings, this.#store, now));
      const { method, path, text, bytes } = request;
      const { status, wire = null } = answer;
      const body = text === "" && bytes.length > 0 ? `(a form of ${bytes.length} bytes)` : text;
      this.#store.addCall(vendor.name, { at: now, method, path, body, status, wire });
      return answer;
    });
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  async #listen(
    port: number,
    answer: (request: VendorRequest) => VendorAnswer,
    bodyBytesMax = BODY_BYTES_MAX,
  ): Promise<number> {
    const server = createServer((request, response) => {
      void respond(request, response, bodyBytesMax, answer);
    });
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: this.#options.host ?? "127.0.0.1", port }, resolve);
    });
    const address = server.address();
    invariant(typeof address === "object" && address !== null, "a TCP server that listens has an address");
    return address.port;
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  bodyBytesMax: number,
  answer: (request: VendorRequest) => VendorAnswer,
): Promise<void> {
  try {
    const bytes = await readBytes(request, bodyBytesMax);
    const contentType = request.headers["content-type"] ?? "";
    const isForm = contentType.startsWith("multipart/");
    const text = isForm ? "" : bytes.toString("utf8");
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://simulator");
    const result = answer({
      method: request.method ?? "GET",
      path: pathname,
      query: searchParams,
      headers: request.headers,
      bytes,
      text,
      body: readBody(contentType, bytes),
    });
    if (result.delayMs === undefined) sendAnswer(response, result);
    else setTimeout(() => sendAnswer(response, result), result.delayMs);
  } catch (error) {
    // A bug of the simulator, or a caller that hung up: answered where the caller still listens.
    sendAnswer(response, { status: 500, body: { errors: [String(error)] } });
  }
}

async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error("the body is too long");
  }
  return Buffer.concat(chunks);
}
