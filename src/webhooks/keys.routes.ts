import type { Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId, encodeId } from "../kernel/ids.ts";
import { noEndpoint } from "./endpoints.service.ts";
import { publicKeysOf } from "./keys.repo.ts";
import { WebhookParams } from "./webhook-caller.replies.ts";
import * as descriptions from "./webhooks.descriptions.ts";
import * as examples from "./webhooks.examples.ts";
import { WebhookKeys } from "./webhooks.schemas.ts";

/** Long enough to spare us repeats, short enough for a rotation after a leak. */
const CACHE = "public, max-age=60";

/** `/.well-known/webhook-keys/{webhook_id}.json`: what receivers verify `v1a` signatures with. */
export function webhookKeysRoutes(app: Http, { db, clock }: { readonly db: Database; readonly clock: Clock }): void {
  app.get(
    "/.well-known/webhook-keys/:webhook_id.json",
    {
      config: { auth: "public", errors: ["not_found"], answerExamples: examples.KEYS },
      schema: {
        operationId: "getWebhookKeys",
        summary: "An endpoint's public keys",
        description: descriptions.KEYS,
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 200: WebhookKeys },
      },
    },
    async (request, reply) => {
      const id = decodeId("whe", request.params.webhook_id);
      const keys = id ? await publicKeysOf(db, id, clock.now()) : [];
      if (!id || keys.length === 0) return sendRefusal(reply, noEndpoint(id));
      return reply.header("cache-control", CACHE).send({
        object: "webhook_keys",
        webhook_id: encodeId("whe", id),
        keys: keys.map(({ publicKey, createdAt, expiresAt }) => ({
          public_key: publicKey,
          created_at: createdAt.toISOString(),
          ...(expiresAt && { expires_at: expiresAt.toISOString() }),
        })),
      });
    },
  );
}
