import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { freePort } from "../../testing/gateway.ts";
import { RecordingSink } from "../../testing/purchase-task.ts";
import { reloadlyRig } from "../../testing/reloadly-rig.ts";
import { waitFor } from "../../testing/wait-for.ts";

const { client, build, taskFor } = await reloadlyRig();

test("the vendor's webhook is taken as a hint, however its signature is made, and a forged one not at all", async (t) => {
  t.after(() => client.settings("reloadly", { webhookSignature: "body:timestamp" }));
  for (const form of ["body:timestamp", "body.timestamp", "body"] as const) {
    await client.settings("reloadly", { webhookSignature: form });
    const receiver = build({ webhookSecret: "simulated-webhook-secret", webhookSignature: form });
    const heard = new RecordingSink();
    await receiver.start(heard);
    const refused: string[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = "", url = "", headers } = request;
      const body = Buffer.concat(chunks);
      const answer = await receiver.callback!({ method, path: url, headers, body });
      if (answer.status === 401) refused.push(body.toString());
      response.writeHead(answer.status, { "content-type": answer.contentType }).end(answer.body);
    });
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    await client.callbackUrl("reloadly", `http://127.0.0.1:${port}/`);
    const [plain, forged] = [taskFor(receiver, "airtime"), taskFor(receiver, "airtime")];
    await client.scenario("reloadly", "callback_forged", { recipient: forged.recipient, afterMs: 100 });
    await receiver.send(plain, 0);
    await receiver.send(forged, 0);
    await waitFor("both hints and the refusal", () => {
      const all = [plain, forged].every(({ reference }) => heard.hints.includes(reference!));
      return all && refused.some((body) => body.includes(forged.reference!));
    });
    assert.ok(!refused.some((body) => body.includes(plain.reference!)));
    await receiver.stop();
  }
});
