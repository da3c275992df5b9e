import type { Server } from "node:http";

/** The port that a server listens on; `configured` when it does not listen. */
export function portOf(server: Server, configured: number): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : configured;
}

/** The URL at which other processes of this machine reach the gateway. */
export const ownAddress = (host: string, port: number): string =>
  `http://${["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host}:${port}`;
