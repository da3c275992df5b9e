import type { ServerResponse } from "node:http";
import type { VendorAnswer } from "./vendor.ts";

const DRIP_MS = 100;
const DRIPS = 12;

/** Puts an answer on the wire, with the fault that it asks for. */
export function sendAnswer(response: ServerResponse, answer: VendorAnswer): void {
  const { body } = answer;
  const bytes = Buffer.from(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
  const head = (length: number | undefined) =>
    response.writeHead(answer.status, {
      "content-type": "application/json",
      ...answer.headers,
      ...(length === undefined ? {} : { "content-length": length }),
    });
  switch (answer.wire) {
    case undefined:
      head(bytes.length).end(bytes);
      return;
    case "hang":
      // The caller gives up, or this process ends.
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "truncated":
      head(half.length).end(half);
      return;
    case "wrong_length":
      head(bytes.length).write(half, () => response.destroy());
      return;
    case "slow_drip":
      head(bytes.length);
      drip(response, bytes);
      return;
  }
}

/** A dozen pieces, a tenth of a second apart. */
function drip(response: ServerResponse, bytes: Buffer): void {
  const size = Math.ceil(bytes.length / DRIPS);
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + size));
    sent += size;
    if (sent < bytes.length) return;
    clearInterval(timer);
    response.end();
  }, DRIP_MS);
  response.once("close", () => clearInterval(timer));
}
