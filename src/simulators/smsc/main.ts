import { parseArgs } from "node:util";
import { endInOrder } from "../child.ts";
import { SmscControl } from "./control.ts";
import { Smsc } from "./server.ts";

/**
 * The SMSC simulator as a process of its own:
 *   node src/simulators/smsc/main.ts --data DIR [--port 0] [--control-port 0] [--host 127.0.0.1]
 *     [--account SYSTEM_ID:PASSWORD]… [--exit-with-parent]
 * When it is ready it prints one JSON line, `{"ready":true,"smppPort":…,"controlPort":…}`. SIGTERM ends it in order;
 * with --exit-with-parent the end of stdin does, and nothing else.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string" },
    port: { type: "string", default: "0" },
    "control-port": { type: "string", default: "0" },
    host: { type: "string", default: "127.0.0.1" },
    // Without any, every system id may bind.
    account: { type: "string", multiple: true },
    // The parent holds the other end of stdin, which closes with it however it dies.
    "exit-with-parent": { type: "boolean", default: false },
  },
});

if (values.data === undefined) {
  console.error("--data DIR is needed: where the SMSC keeps its log");
  process.exit(1);
}

const smsc = new Smsc({
  clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  dataDir: values.data,
  host: values.host,
  port: Number(values.port),
  ...(values.account && { accounts: accountsOf(values.account) }),
});
const control = new SmscControl(smsc);

const stop = async (): Promise<void> => {
  await control.stop();
  await smsc.stop();
};

try {
  const smppPort = await smsc.start();
  const controlPort = await control.start(values.host, Number(values["control-port"]));
  console.log(JSON.stringify({ ready: true, smppPort, controlPort }));
} catch (error) {
  // A port that is taken, a log that can't be read: the message says which, a stack would not say more.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
endInOrder(stop, values["exit-with-parent"]);

/** `system id:password`, the password with whatever colons it has. */
function accountsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const colon = pair.indexOf(":");
      return colon < 0 ? [pair, ""] : [pair.slice(0, colon), pair.slice(colon + 1)];
    }),
  );
}
