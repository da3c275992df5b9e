import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { eventually, temporaryDir } from "../../src/simulators/smsc/rig.ts";
import { freePort } from "../../src/testing/gateway.ts";

/** Kannel 1.4 as a client of an SMSC: bearerbox, which speaks SMPP, and smsbox, which takes messages over HTTP. */
export interface Kannel {
  /** Asks smsbox to send; `dlr-url` is called with `type` (Kannel's `%d`). Gives the HTTP status. */
  send(message: { to: string; text: string; dlrUrl: string; coding?: 0 | 2 }): Promise<number>;
}

const ADMIN_PASSWORD = "admin";

/** Starts Kannel on ports of its own and waits until it is bound to the SMSC. `moUrl`: called with `from`, `to` and `text`. */
export async function startKannel(
  t: TestContext,
  { smppPort, moUrl }: { smppPort: number; moUrl: string },
): Promise<Kannel> {
  const dir = temporaryDir(t);
  const [adminPort, smsboxPort, sendsmsPort] = [await freePort(), await freePort(), await freePort()];
  const configuration = join(dir, "kannel.conf");
  writeFileSync(
    configuration,
    `
group = core
admin-port = ${adminPort}
admin-password = ${ADMIN_PASSWORD}
smsbox-port = ${smsboxPort}
box-allow-ip = 127.0.0.1
log-file = ${join(dir, "bearerbox.log")}
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = afara
host = 127.0.0.1
port = ${smppPort}
transceiver-mode = true
smsc-username = kannel
smsc-password = secret
system-type = ""
address-range = ""

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsmsPort}
log-file = ${join(dir, "smsbox.log")}

group = sendsms-user
username = test
password = test
max-messages = 10
concatenation = true

group = sms-service
keyword = default
catch-all = true
max-messages = 0
get-url = "${moUrl}?from=%p&to=%P&text=%a"
`,
  );
  const boxes: ChildProcess[] = [];
  const start = (program: string) => {
    const box = spawn(program, [configuration], { cwd: dir, stdio: "ignore" });
    boxes.push(box);
  };
  t.after(async () => {
    for (const box of boxes) {
      if (box.exitCode !== null) continue;
      box.kill("SIGKILL");
      await once(box, "exit");
    }
  });
  const status = async () => {
    const response = await fetch(`http://127.0.0.1:${adminPort}/status.txt?password=${ADMIN_PASSWORD}`).catch(
      () => null,
    );
    return response ? await response.text() : "";
  };
  start("/usr/sbin/bearerbox");
  await eventually(async () => /afara.*online/.test(await status())).catch((error: unknown) => {
    throw new Error(`bearerbox did not bind:\n${readFileSync(join(dir, "bearerbox.log"), "utf8")}`, { cause: error });
  });
  start("/usr/sbin/smsbox");
  await eventually(async () => /smsbox:/.test(await status()));

  return {
    send: async ({ to, text, dlrUrl, coding = 0 }) => {
      const query = new URLSearchParams({
        username: "test",
        password: "test",
        from: "AFARA",
        to,
        text,
        charset: "UTF-8",
        coding: String(coding),
        "dlr-mask": "31",
        "dlr-url": `${dlrUrl}?type=%d`,
      });
      const response = await fetch(`http://127.0.0.1:${sendsmsPort}/cgi-bin/sendsms?${query}`);
      return response.status;
    },
  };
}
