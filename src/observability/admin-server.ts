import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scrape } from "./scrape.ts";

/** The port of the operator's own tools. No key is asked for, so it listens on this machine alone unless it is configured. */
export interface AdminServer {
  /** Resolves with the port. Errors: rejects with the system's error, e.g. `EADDRINUSE`. */
  listen(place: { readonly host: string; readonly port: number }): Promise<number>;
  stop(): Promise<void>;
}

const ANSWER_MS = 10_000;

export function makeAdminServer(scrape: () => Promise<Scrape>): AdminServer {
  const server: Server = createServer({ requestTimeout: ANSWER_MS, headersTimeout: ANSWER_MS }, (request, response) => {
    const path = request.url?.split("?")[0];
    const isRead = request.method === "GET" || request.method === "HEAD";
    const say = (status: number, text: string, headers: Record<string, string> = {}) =>
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(text);
    request.resume();
    if (path !== "/metrics") say(404, "There is only /metrics here.\n");
    else if (!isRead) say(405, "Only GET.\n", { allow: "GET, HEAD" });
    else
      scrape().then(
        ({ contentType, text }) => say(200, text, { "content-type": contentType }),
        () => say(500, "The metrics can't be read just now.\n"),
      );
  });

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
