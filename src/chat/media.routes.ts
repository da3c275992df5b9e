import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { RefusedError } from "../http/problems.ts";
import { sendRefusal } from "../http/refuse.ts";
import { Id, IdParameter, Timestamp } from "../http/schemas.ts";
import { makeValidatorCompiler } from "../http/validation.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import * as descriptions from "./chat.descriptions.ts";
import * as examples from "./chat.examples.ts";
import { chatAuth, FromQuery } from "./chat.schemas.ts";
import { readFile } from "./inbound-media.repo.ts";
import { LIMITS } from "./limits.ts";
import type { Media, UploadedFile } from "./media.service.ts";
import { MEDIA_KINDS } from "./media-kinds.ts";
import type { ChatNumbers } from "./numbers.service.ts";

export interface MediaRoutesOptions {
  readonly db: Database;
  readonly media: Media;
  readonly numbers: ChatNumbers;
}

/** Every kind's own bound is looked at while it comes in; this one is the largest of them, and a byte to tell what is larger. */
const FILE_BYTES_MAX = MEDIA_KINDS.document.bytesMax + 1;
const FORM_BYTES_MAX = FILE_BYTES_MAX + 64 * 1_024;
const FORM = "multipart/form-data";

const UploadedMedia = Type.Object(
  {
    object: Type.Literal("media"),
    media_id: Id("med"),
    type: Type.String({ description: "Detected from its bytes." }),
    size: Type.Integer(),
    expires_at: Timestamp,
  },
  { title: "UploadedMedia" },
);

const UploadBody = Type.Object({
  file: Type.Unsafe<unknown>({ type: "string", contentMediaType: "application/octet-stream" }),
});
const File = Type.Unsafe<Buffer>({ type: "string", contentMediaType: "application/octet-stream" });

/** Files on their way out, and those that people sent. */
export function mediaRoutes(app: Http, { db, media, numbers }: MediaRoutesOptions): void {
  const tags = ["Chat"];
  const forStrings = makeValidatorCompiler();

  app.register(async (scope) => {
    // Whatever is no form comes as far as the handler, which says what to send.
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
    await scope.register(multipart, {
      limits: { files: 1, fields: 10, fileSize: FILE_BYTES_MAX },
      throwFileSizeLimit: false,
    });
    scope.post(
      "/chat/media",
      {
        bodyLimit: FORM_BYTES_MAX,
        config: {
          auth: chatAuth("send", "chat-media"),
          errors: ["media_refused", "sender_not_approved", "provider_unavailable", "overloaded"],
          requestExamples: { "A picture, as curl -F file=@receipt.png sends it": { file: "@receipt.png" } },
          answerExamples: examples.UPLOADED,
        },
        schema: {
          operationId: "uploadChatMedia",
          summary: "Upload a file to the vendor, to be sent by its id",
          description: descriptions.UPLOAD,
          tags,
          consumes: [FORM],
          querystring: FromQuery,
          body: UploadBody,
          response: { 201: UploadedMedia },
        },
        // The form is read as it comes in, so there is nothing to be validated before.
        validatorCompiler: (part) => (part.httpPart === "body" ? () => true : forStrings(part)),
      },
      async (request, reply) => {
        const { accountId, mode } = callerOf(request);
        const owner = { accountId: accountId as Uuid, mode };
        const { from: named } = request.query as Static<typeof FromQuery>;
        const from = await numbers.choose(owner, named);
        if (!from.ok) return sendRefusal(reply, refusal("sender_not_approved", from.error.detail));
        const file = await fileIn(request);
        if (!file.ok) return sendRefusal(reply, file.error);
        const stored = await media.upload(owner, from.value, file.value);
        if (!stored.ok) return sendRefusal(reply, stored.error);
        const { id, mimeType, size, expiresAt } = stored.value;
        return reply.code(201).send({
          object: "media",
          media_id: encodeId("med", id),
          type: mimeType,
          size,
          expires_at: expiresAt.toISOString(),
        });
      },
    );
  });

  app.get(
    "/chat/media/:message_id",
    {
      config: {
        auth: chatAuth("read", "read"),
        errors: ["not_found"],
        answerExamples: [
          { status: 200, summary: "The file", mediaType: "application/octet-stream", value: "(its bytes)" },
        ],
      },
      schema: {
        operationId: "getChatMedia",
        summary: "The file of an inbound message",
        description: descriptions.DOWNLOAD,
        tags,
        params: Type.Object({ message_id: IdParameter("msg", "`id` of the inbound message.") }),
        response: {
          200: { description: "The file, as its own type.", content: { "application/octet-stream": { schema: File } } },
        },
      },
    },
    async (request, reply) => {
      const { accountId, mode } = callerOf(request);
      const id = decodeId("msg", request.params.message_id);
      const file = id && (await readFile(db, { accountId: accountId as Uuid, mode, id }));
      if (!file) return sendRefusal(reply, NO_FILE);
      // A stranger's file: a browser that is led here must save it, and neither show nor run it.
      return reply
        .header("content-disposition", "attachment")
        .header("content-security-policy", "sandbox; default-src 'none'")
        .type(file.mimeType)
        .send(file.bytes);
    },
  );
}

const NO_FILE = refusal("not_found", "There is no such message with a file that is kept, in this account and mode.");

const NO_FORM = refusal(
  "unsupported_media_type",
  "Send the file as multipart/form-data, in a part named file, as curl -F file=@picture.png does.",
);

async function fileIn(request: FastifyRequest): Promise<Result<UploadedFile, Refusal>> {
  if (!request.isMultipart()) return refuse(NO_FORM);
  const part = await request.file().catch(() => undefined);
  const strange = Object.keys(part?.fields ?? {}).find((name) => name !== "file");
  if (strange !== undefined) {
    const detail = `\`${strange.slice(0, 100)}\` is no part of this form. ${NO_PART}`;
    return refuse(
      refusal("validation_failed", detail, {
        errors: [{ pointer: `/${strange.slice(0, 100)}`, code: "unknown_field", detail }],
      }),
    );
  }
  if (!part)
    return refuse(
      refusal("validation_failed", NO_PART, { errors: [{ pointer: "/file", code: "required", detail: NO_PART }] }),
    );
  return ok({ stream: whole(part.file), contentType: part.mimetype, filename: nameOf(part.filename) });
}

/** A form that ends before its file does is a broken request, and no fault of ours. */
async function* whole(stream: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  try {
    yield* stream;
  } catch {
    throw new RefusedError(refusal("malformed_request", "The form ended before its file was complete. Send it again."));
  }
}

const NO_PART = "Send one file, in a part named file.";

/** Without folders and what no name has; it is shown to the recipient. */
function nameOf(filename: string | undefined): string | undefined {
  const name = filename?.replaceAll(/^.*[/\\]|[\p{Cc}\p{Cf}"]/gu, "").slice(-LIMITS.filename);
  return name === "" ? undefined : name;
}
