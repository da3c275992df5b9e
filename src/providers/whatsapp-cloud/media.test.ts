import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { InboundChat } from "../../ports/chat-payload.ts";
import { chatTask } from "../../testing/chat-task.ts";
import { inAWord, TEST_DEPS } from "../../testing/purchase-task.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { WHATSAPP_SETTINGS, whatsappRig } from "../../testing/whatsapp-rig.ts";
import { whatsappCloud } from "./index.ts";

const time = { aheadMs: 0 };
const { port, client, provider, sink, nextPhone } = await whatsappRig(time);

/** As binary as a file can be: every byte, and what looks like the end of a form's part. */
const FILE = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  Buffer.from("\r\n\r\n--x\r\n"),
  randomBytes(300_000),
]);

test("a file is uploaded, is byte for byte what comes back, and is sent by its id", async () => {
  const id = await provider.uploadMedia?.({ bytes: FILE, mimeType: "application/pdf", filename: "june.pdf" });
  assert.ok(id);
  const back = await provider.downloadMedia?.(id, FILE.length);
  assert.ok(back?.bytes.equals(FILE));
  assert.equal(back?.mimeType, "application/pdf");
  const phone = nextPhone();
  await client.chatWindow("whatsapp", phone, 0);
  const task = chatTask(provider, phone, { type: "media", kind: "document", id, filename: "june.pdf" });
  assert.equal(inAWord(await provider.send(task, 0)), "accepted");
  await waitFor("it", async () => (await client.chatMessages("whatsapp", phone))[0]?.media?.id === id);
});

test("a picture that a handset sent can be had, by either of the account's numbers", async () => {
  const phone = nextPhone();
  const base64 = FILE.toString("base64").slice(0, 40_000);
  const sent = await client.chatReply("whatsapp", phone, { to: "2347000000002", media: { kind: "image", base64 } });
  const message = await waitFor("it", () => sink.messages.find(({ providerReference }) => providerReference === sent));
  const { media } = message.facts as unknown as InboundChat;
  const file = await provider.downloadMedia?.(media?.id ?? "", 5 * 1024 * 1024);
  assert.ok(file?.bytes.equals(Buffer.from(base64, "base64")));
});

test("a file that is longer than asked for, or that is not there, is not had", async () => {
  const id = await provider.uploadMedia?.({ bytes: FILE, mimeType: "application/pdf" });
  assert.ok(id);
  assert.equal(await provider.downloadMedia?.(id, FILE.length - 1), undefined);
  assert.equal(await provider.downloadMedia?.("4499", FILE.length), undefined);
  assert.equal(await provider.downloadMedia?.("../200000000000001/media", FILE.length), undefined);
});

test("a type that the network does not take is not uploaded", async () => {
  assert.equal(await provider.uploadMedia?.({ bytes: FILE, mimeType: "application/x-sh" }), undefined);
});

test("a file's address is good for five minutes and only with the token", async () => {
  const id = await provider.uploadMedia?.({ bytes: FILE, mimeType: "image/png" });
  const authorization = "Bearer simulated-access-token";
  const told = await fetch(`http://127.0.0.1:${port}/v24.0/${id}`, { headers: { authorization } });
  const { url } = (await told.json()) as { url: string };
  assert.equal((await fetch(url)).status, 401);
  time.aheadMs += 299_000;
  assert.equal((await fetch(url, { headers: { authorization } })).status, 200);
  time.aheadMs += 2_000;
  assert.equal((await fetch(url, { headers: { authorization } })).status, 404);
  assert.ok(await provider.downloadMedia?.(id ?? "", FILE.length), "the adapter asks for a fresh one");
});

/** An adapter whose Graph API says that a file is at this URL, and what was asked for besides. */
async function pointingAt(url: string, give: () => Response) {
  const asked: { readonly url: string; readonly token: string | null }[] = [];
  const built = whatsappCloud.build("test", WHATSAPP_SETTINGS, {
    ...TEST_DEPS,
    fetch: async (input, init) => {
      if (String(input).startsWith("https://graph.facebook.com/v24.0/"))
        return Response.json({ url, mime_type: "image/png", file_size: "10" });
      asked.push({ url: String(input), token: new Headers(init?.headers).get("authorization") });
      return give();
    },
  });
  assert.ok(built.ok);
  return { asked, file: await built.value.downloadMedia?.("1", 100_000) };
}

for (const url of [
  "http://127.0.0.1:9/file",
  "https://lookaside.fbsbx.com.evil.example/file",
  "http://lookaside.fbsbx.com/file",
  "https://evilfbsbx.com/file",
  "https://lookaside.fbsbx.com@evil.example/file",
  "file:///etc/passwd",
  "no url",
])
  test(`the token does not go to ${url}, whatever the answer says`, async () => {
    const { asked, file } = await pointingAt(url, () => new Response("x"));
    assert.deepEqual([asked, file], [[], undefined]);
  });

for (const url of [
  "https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1",
  "https://graph.facebook.com/file",
])
  test(`a file at ${url} is had, with the token`, async () => {
    const { asked, file } = await pointingAt(url, () => new Response("x"));
    assert.deepEqual(asked, [{ url, token: "Bearer simulated-access-token" }]);
    assert.equal(file?.bytes.toString(), "x");
  });

test("a file that is longer than it says is given up while it streams", async () => {
  let sent = 0;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 1;
          controller.enqueue(Buffer.alloc(60_000));
        },
      }),
    );
  const { file } = await pointingAt("https://lookaside.fbsbx.com/file", endless);
  assert.equal(file, undefined);
  assert.ok(sent < 10, `${sent} pieces`);
});
