import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import type { ChatPayload } from "../ports/chat-payload.ts";
import type { Provider } from "../ports/provider.ts";
import { whatsappCloud } from "../providers/whatsapp-cloud/index.ts";
import { testVendors } from "../simulators/vendors/rig.ts";
import { ChatSink } from "./chat-task.ts";
import { TEST_DEPS } from "./purchase-task.ts";

export const WHATSAPP_SETTINGS = {
  accessToken: "simulated-access-token",
  appSecret: "simulated-app-secret",
  verifyToken: "simulated-verify-token",
  wabaId: "100000000000001",
  numbers: [
    { phoneNumberId: "200000000000001", number: "+2347000000001" },
    { phoneNumberId: "200000000000002", number: "+2347000000002" },
  ],
};

/** The simulator, and an adapter that it calls back over HTTP. Ends with the file's tests. */
export async function whatsappRig(clock: { aheadMs: number } = { aheadMs: 0 }) {
  const teardown: (() => Promise<void> | void)[] = [];
  after(async () => {
    for (const end of teardown.reverse()) await end();
  });
  const { ports, client } = await testVendors({ after: (end: () => void) => void teardown.push(end) }, { clock });

  function build(settings: object = {}): Provider<ChatPayload> {
    const baseUrl = `http://127.0.0.1:${ports.whatsapp}`;
    const own = { pairEveryMs: 0, perNumberPerSecond: 1_000, responseTimeoutMs: 400, ...settings };
    const built = whatsappCloud.build("test-whatsapp", { ...WHATSAPP_SETTINGS, baseUrl, ...own }, TEST_DEPS);
    assert.ok(built.ok, JSON.stringify(built));
    return built.value as Provider<ChatPayload>;
  }
  const provider = build();
  const sink = new ChatSink();
  await provider.start(sink);
  teardown.push(() => provider.stop());

  /** How each callback was answered. */
  const answered: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const answer = await provider.callback!({ method, path: url, headers, body: Buffer.concat(chunks) });
    answered.push(answer.status);
    response.writeHead(answer.status, { "content-type": answer.contentType }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  teardown.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  await client.settings("whatsapp", { sentMs: 10, deliveredMs: 60, readMs: 110 });
  await client.callbackUrl("whatsapp", `http://127.0.0.1:${address.port}/`);

  let phones = 0;
  return {
    port: ports.whatsapp!,
    client,
    provider,
    sink,
    answered,
    build,
    /** A phone for each case. */
    nextPhone: (): string => `23480312${String(++phones).padStart(5, "0")}`,
  };
}
