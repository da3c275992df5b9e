import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { GraphApiError, WhatsAppClient } from "@kapso/whatsapp-cloud-api";
import { normalizeWebhook, verifySignature } from "@kapso/whatsapp-cloud-api/server";
import { testVendors } from "../../src/simulators/vendors/rig.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/**
 * A client of the Cloud API that others wrote, against the simulator: what it sends is understood, and it understands what
 * comes back, webhooks and their signatures included. Meta's own npm package `whatsapp` calls port 443 of one host alone in its
 * first version, and has no code in its second.
 */
const PHONE = "2348031400001";
const phoneNumberId = "200000000000001";

test("another's client sends, lists templates, moves files and reads the webhooks", async (t) => {
  const { ports, client: control } = await testVendors(t);
  const received: { readonly body: Buffer; readonly signature: string }[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ body: Buffer.concat(chunks), signature: String(request.headers["x-hub-signature-256"]) });
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const address = receiver.address();
  assert.ok(typeof address === "object" && address);
  await control.callbackUrl("whatsapp", `http://127.0.0.1:${address.port}/`);
  const client = new WhatsAppClient({
    accessToken: "simulated-access-token",
    baseUrl: `http://127.0.0.1:${ports.whatsapp}`,
    graphVersion: "v23.0",
  });
  const to = `+${PHONE}`;
  const arrived = (count: number) =>
    waitFor(`message ${count}`, async () => (await control.chatMessages("whatsapp", PHONE))[count - 1]);

  // A template at any time, and free text once the handset has written.
  const sent = await client.messages.sendTemplate({
    phoneNumberId,
    to,
    template: {
      name: "order_update",
      language: { code: "en_US" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "Ada" },
            { type: "text", text: "4471" },
          ],
        },
      ],
    },
  });
  const first = await arrived(1);
  assert.deepEqual([first.id, first.text], [sent.messages[0]?.id, "Hello Ada, your order 4471 is ready."]);
  const question = await control.chatReply("whatsapp", PHONE, { text: "₦ / @ ẹ?" });
  await client.messages.markRead({ phoneNumberId, messageId: question });
  await client.messages.sendText({ phoneNumberId, to, body: "₦5,000 🎉" });
  assert.equal((await arrived(2)).text, "₦5,000 🎉");
  await client.messages.sendInteractiveButtons({
    phoneNumberId,
    to,
    bodyText: "Again?",
    buttons: [
      { id: "yes", title: "Yes" },
      { id: "no", title: "No" },
    ],
  });
  const asked = await arrived(3);
  assert.deepEqual(
    asked.choices.map(({ id }) => id),
    ["yes", "no"],
  );
  await client.messages.sendInteractiveList({
    phoneNumberId,
    to,
    bodyText: "Pick a plan",
    buttonText: "See plans",
    sections: [{ title: "Monthly", rows: [{ id: "p1", title: "10 GB" }] }],
  });
  assert.equal((await arrived(4)).isList, true);

  // What shows no buttons of its own.
  const products = { phoneNumberId, to, bodyText: "Look", catalogId: "c1" };
  await client.messages.sendInteractiveProduct({ ...products, productRetailerId: "p1" });
  await client.messages.sendInteractiveProductList({
    ...products,
    header: { type: "text", text: "Shop" },
    sections: [{ title: "New", productItems: [{ productRetailerId: "p1" }] }],
  });
  await client.messages.sendInteractiveLocationRequest({
    phoneNumberId,
    to: PHONE,
    bodyText: "Where?",
    parameters: { requestMessage: "Where?" },
  });
  assert.deepEqual(
    [(await arrived(5)).text, (await arrived(6)).header, (await arrived(7)).text],
    ["Look", "Shop", "Where?"],
  );

  // Files, both ways.
  const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256));
  const file = new Blob([bytes], { type: "image/png" });
  const { id } = await client.media.upload({ phoneNumberId, type: "image", file, fileName: "a.png" });
  const metadata = await client.media.get({ mediaId: id });
  assert.deepEqual([metadata.mimeType, Number(metadata.fileSize)], ["image/png", 1_000]);
  // By itself this client leaves the token out, which Meta's page on downloads demands.
  const back = await client.media.download({ mediaId: id, auth: "always" });
  assert.ok(back instanceof ArrayBuffer && Buffer.from(back).equals(bytes));
  await client.messages.sendImage({ phoneNumberId, to, image: { id, caption: "Here" } });
  assert.deepEqual((await arrived(8)).media, { kind: "image", id, caption: "Here" });
  await client.media.delete({ mediaId: id });
  await assert.rejects(client.media.get({ mediaId: id }));

  // Templates, by pages.
  const names: string[] = [];
  let after: string | undefined;
  do {
    const page = await client.templates.list({
      businessAccountId: "100000000000001",
      limit: 4,
      ...(after !== undefined && { after }),
    });
    names.push(...page.data.map(({ name }) => name));
    after = page.data.length === 4 ? (page.paging.cursors.after ?? undefined) : undefined;
  } while (after !== undefined);
  assert.equal(new Set(names).size, 10);

  const paused = await client.templates.list({ businessAccountId: "100000000000001", status: "PAUSED" });
  assert.deepEqual(
    paused.data.map(({ name }) => name),
    ["old_offer"],
  );

  // Setting a number up.
  await client.phoneNumbers.register({ phoneNumberId, pin: "123456" });
  await client.phoneNumbers.businessProfile.update({ phoneNumberId, about: "Open" });
  const profile = await client.phoneNumbers.businessProfile.get({ phoneNumberId });
  assert.equal(profile.data[0]?.about, "Open");

  // A refusal is one in its words too.
  await control.chatError("whatsapp", { code: 131056 });
  await assert.rejects(
    client.messages.sendText({ phoneNumberId, to, body: "x" }),
    (error: GraphApiError) => error instanceof GraphApiError && error.code === 131056,
  );

  // Webhooks.
  await control.chatReply("whatsapp", PHONE, { press: { messageId: asked.id, id: "no" } });
  const events = await waitFor("the answer and all statuses", () => {
    const all = received.map(({ body }) => normalizeWebhook(JSON.parse(body.toString())));
    const messages = all.flatMap((one) => one.messages);
    const statuses = all.flatMap((one) => one.statuses);
    return messages.length === 2 && statuses.length === 24 && { messages, statuses };
  });
  for (const { body, signature } of received) {
    assert.ok(verifySignature({ appSecret: "simulated-app-secret", rawBody: body, signatureHeader: signature }));
    assert.ok(!verifySignature({ appSecret: "another", rawBody: body, signatureHeader: signature }));
  }
  assert.deepEqual([events.messages[0]?.id, events.messages[0]?.text?.body], [question, "₦ / @ ẹ?"]);
  assert.equal(events.messages[1]?.type, "interactive");
  assert.deepEqual(
    events.statuses.filter((one) => one.id === asked.id).map(({ status }) => status),
    ["sent", "delivered", "read"],
  );
});
