import { parseArgs } from "node:util";
import { endInOrder } from "../child.ts";
import { VENDORS } from "./registry.ts";
import { VendorSimulators } from "./server.ts";

/**
 * The simulators of all vendors with HTTP, as one process of its own:
 *   node src/simulators/vendors/main.ts --data DIR [--port VENDOR:0]… [--control-port 0] [--host 127.0.0.1] [--exit-with-parent]
 * When it is ready it prints one JSON line, `{"ready":true,"ports":{"vtpass":…},"controlPort":…}`. SIGTERM ends it in order;
 * with --exit-with-parent the end of stdin does, and nothing else.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string" },
    port: { type: "string", multiple: true, default: [] },
    "control-port": { type: "string", default: "0" },
    host: { type: "string", default: "127.0.0.1" },
    // The parent holds the other end of stdin, which closes with it however it dies.
    "exit-with-parent": { type: "boolean", default: false },
  },
});

if (values.data === undefined) {
  console.error("--data DIR is needed: where the vendors keep what they sold");
  process.exit(1);
}

const simulators = new VendorSimulators({
  vendors: VENDORS,
  clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  fetch,
  dataDir: values.data,
  host: values.host,
  ports: Object.fromEntries(values.port.map((pair) => [pair.split(":")[0] ?? "", Number(pair.split(":")[1])])),
  controlPort: Number(values["control-port"]),
});

try {
  console.log(JSON.stringify({ ready: true, ...(await simulators.start()) }));
} catch (error) {
  // A port that is taken, a store that can't be read: the message says which, a stack would not say more.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
endInOrder(() => simulators.stop(), values["exit-with-parent"]);
