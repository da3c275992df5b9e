import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";

/** A delivery as a receiver got it. */
export interface Received {
  /** `webhook-id`. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly type: string;
  readonly sequence: number;
  /** The ID of what the event is about. */
  readonly subject: string;
}

/** Answers a delivery: a status, or all of it. */
export type Answer = (received: Received, response: ServerResponse) => number | undefined;

/** A server that gets webhooks. Answers 204 unless told. */
export class Receiver {
  readonly url: string;
  readonly all: Received[] = [];
  /** Those that were answered with 2xx, in order. */
  readonly taken: Received[] = [];
  answer: Answer = () => 204;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  /** It is closed after the file's tests. */
  static async start(port = 0): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
    const receiver = new Receiver(server);
    server.on("request", async (request, response) => {
      const body = Buffer.concat(await request.toArray().catch(() => []));
      if (body.length > 0) receiver.#take(request.headers, body, response);
    });
    after(() => receiver.close());
    return receiver;
  }

  get events(): readonly Received[] {
    return this.taken.filter(({ type }) => type !== "webhook.ping");
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #take(headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse): void {
    const event = JSON.parse(body.toString()) as {
      type: string;
      sequence: number;
      data: { object: { id: string } | null };
    };
    const { type, sequence } = event;
    const id = String(headers["webhook-id"]);
    const received = { id, headers, body, type, sequence, subject: event.data.object?.id ?? "" };
    this.all.push(received);
    const status = this.answer(received, response);
    if (status === undefined) return;
    if (status >= 200 && status < 300) this.taken.push(received);
    response.writeHead(status).end();
  }
}

/** What is wrong with the order in which events were taken: of each subject they come from 1 without gaps; repeats have the same ID. */
export function orderFaults(taken: readonly Received[]): readonly string[] {
  const last = new Map<string, number>();
  const ids = new Map<string, string>();
  return taken.flatMap(({ id, subject, sequence }) => {
    const place = `${subject} ${sequence}`;
    const before = last.get(subject) ?? 0;
    const known = ids.get(place);
    ids.set(place, id);
    last.set(subject, Math.max(before, sequence));
    if (sequence > before + 1) return [`${place} came after ${before}`];
    return known !== undefined && known !== id ? [`${place} came as ${known} and as ${id}`] : [];
  });
}
