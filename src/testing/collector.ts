import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";

/** A span as a collector gets it by OTLP/HTTP, its attributes by name. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent or empty: the first of its trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2: error. */
  readonly status: { readonly code?: number };
  /** What is said of the process that made it. */
  readonly resource: Readonly<Record<string, string | number>>;
}

type Values = readonly {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}[];
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Values };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, "attributes" | "resource"> & { readonly attributes: Values })[];
    }[];
  }[];
}

/** An OpenTelemetry collector: takes spans by OTLP/HTTP as JSON. */
export class Collector {
  readonly url: string;
  readonly spans: CollectedSpan[] = [];
  /** All that came, as it came. */
  text = "";
  /** Requests that came, answered or not. */
  requests = 0;
  /** Takes requests and does not answer. */
  hangs = false;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** It is closed after the file's tests. */
  static async start(): Promise<Collector> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const collector = new Collector(server);
    server.on("request", async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      collector.requests += 1;
      if (collector.hangs) return;
      const isTraces = request.method === "POST" && request.url === "/v1/traces";
      if (isTraces) collector.#take(body);
      response.writeHead(isTraces ? 200 : 404, { "content-type": "application/json" }).end("{}");
    });
    after(async () => {
      server.closeAllConnections();
      await new Promise((done) => collector.#server.close(done));
    });
    return collector;
  }

  /** What came of a trace so far. */
  trace(traceId: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  #take(body: string): void {
    this.text += body;
    for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans)
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({
          ...span,
          links: span.links ?? [],
          attributes: valuesOf(span.attributes),
          resource: valuesOf(resource.attributes),
        });
  }
}

const valuesOf = (values: Values): Readonly<Record<string, string | number>> =>
  Object.fromEntries(values.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ""]));
