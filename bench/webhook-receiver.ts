import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";

/** A receiver that takes everything, in a thread of its own. Tells its port, and on `count` how many events it has had. */
let events = 0;
const server = createServer((request, response) => {
  events += 1;
  request.resume();
  response.writeHead(204).end();
});
server.listen(0, "127.0.0.1", () => parentPort!.postMessage((server.address() as AddressInfo).port));
parentPort!.on("message", () => parentPort!.postMessage(events));
