import { fastify } from "fastify";
import type { Static } from "typebox";
import { encodeId, newUuid } from "../src/kernel/ids.ts";
import { SendBody, SmsMessage } from "../src/sms/sms.schemas.ts";

/** What P1 is measured against: Fastify alone, the same body and answer schemas, nothing checked beyond them, nothing stored. */
const app = fastify({ logger: false });

app.post("/sms/send", { schema: { body: SendBody, response: { 202: SmsMessage } } }, (request, reply) => {
  const { to, message } = request.body as { to: string; message: string };
  const now = new Date().toISOString();
  const sent: Static<typeof SmsMessage> = {
    id: encodeId("msg", newUuid()),
    object: "sms",
    direction: "outbound",
    mode: "test",
    status: "queued",
    to,
    from: "Afara",
    message,
    encoding: "gsm7",
    segments: 1,
    network_guess: "mtn",
    price: { amount: "3.20", currency: "NGN", tax: "0.22" },
    charge: "held",
    created_at: now,
    updated_at: now,
  };
  return reply.code(202).send(sent);
});

process.stdout.write(`${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
process.stdin.on("end", () => process.exit(0)).resume();
