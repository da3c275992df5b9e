import { parseArgs } from "node:util";
import { PaystackSimulator } from "./server.ts";

/**
 * The Paystack simulator as a process of its own:
 *   node src/simulators/paystack/main.ts [--port 8071] [--host 127.0.0.1] [--secret-key sk_test_simulator]
 *     [--callback http://127.0.0.1:8080/callbacks/paystack]
 * When it is ready it prints one JSON line, `{"ready":true,"port":…}`. SIGTERM ends it. What it does on command: control.ts.
 */
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8071" },
    host: { type: "string", default: "127.0.0.1" },
    "secret-key": { type: "string", default: "sk_test_simulator" },
    callback: { type: "string", default: "http://127.0.0.1:8080/callbacks/paystack" },
  },
});

const simulator = new PaystackSimulator({
  clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  fetch,
  secretKey: values["secret-key"],
  callbackUrl: values.callback,
  host: values.host,
  port: Number(values.port),
});

try {
  console.log(JSON.stringify({ ready: true, port: await simulator.start() }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const stop = async () => {
  await simulator.stop();
  process.exit(0);
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
