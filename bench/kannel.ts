import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../src/testing/gateway.ts";
import { waitFor } from "../src/testing/wait-for.ts";
import { cpuMsOf } from "./cpu.ts";
import { type Load, load, type Sent } from "./wrk.ts";

/** Debian's Kannel 1.4.5 as it would be run: bearerbox with a spool store, smsbox, a receipt's URL called for each message. */
export interface Kannel {
  readonly base: string;
  readonly request: Sent;
  /** CPU time of its two processes so far. */
  cpuMs(): number;
  stop(): Promise<void>;
}

export async function startKannel(smppPort: number): Promise<Kannel> {
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-kannel-"));
  const [admin, box, http] = [await freePort(), await freePort(), await freePort()];
  // Whoever is told of receipts answers at once, so that it is Kannel that is measured.
  const told: Server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
  await once(told, "listening");
  const address = told.address();
  const dlrUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/dlr`;
  const configuration = join(dir, "kannel.conf");
  await mkdir(join(dir, "spool"));
  await writeFile(
    configuration,
    `
group = core
admin-port = ${admin}
admin-password = bench
smsbox-port = ${box}
box-allow-ip = 127.0.0.1
log-file = ${join(dir, "bearerbox.log")}
log-level = 3
store-type = spool
store-location = ${join(dir, "spool")}
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = sim
host = 127.0.0.1
port = ${smppPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = kannel
system-type = ""
address-range = ""
max-pending-submits = 400

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${http}
log-file = ${join(dir, "smsbox.log")}
log-level = 3
http-request-retry = 0

group = sendsms-user
username = bench
password = bench

group = sms-service
keyword = default
text = "-"
`,
  );
  const boxes: ChildProcess[] = [];
  const start = (program: string) => boxes.push(spawn(program, [configuration], { cwd: dir, stdio: "ignore" }));
  const status = async () => {
    const answer = await fetch(`http://127.0.0.1:${admin}/status.txt?password=bench`).catch(() => undefined);
    return (await answer?.text()) ?? "";
  };
  start("/usr/sbin/bearerbox");
  await waitFor("bearerbox to bind", async () => /sim.*online/.test(await status()));
  start("/usr/sbin/smsbox");
  await waitFor("smsbox", async () => /smsbox:/.test(await status()));

  const query = new URLSearchParams({
    username: "bench",
    password: "bench",
    from: "Afara",
    to: "+2348031234567",
    text: "Your code is 4471",
    "dlr-mask": "3",
    "dlr-url": `${dlrUrl}?type=%d`,
  });
  return {
    base: `http://127.0.0.1:${http}`,
    request: { path: `/cgi-bin/sendsms?${query}` },
    cpuMs: () => boxes.reduce((sum, { pid }) => sum + cpuMsOf(pid!), 0),
    async stop() {
      for (const child of boxes.toReversed()) {
        child.kill("SIGTERM");
        if (child.exitCode === null)
          await Promise.race([once(child, "exit"), new Promise((resolve) => setTimeout(resolve, 5_000))]);
        child.kill("SIGKILL");
      }
      told.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export const loadKannel = ({ base, request }: Kannel, connections: number, seconds: number): Promise<Load> =>
  load(base, { connections, seconds, requests: [request] });
