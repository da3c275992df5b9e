import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";

type Coding = "br" | "gzip";

const COMPRESS: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** A document that does not change while the server runs: its bytes, encodings and ETag are computed once. */
export interface FixedDocument {
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

export function makeFixedDocument(contentType: string, textOf: () => string): FixedDocument {
  let made: { readonly bytes: Buffer; readonly etag: string } | undefined;
  const coded = new Map<Coding, Promise<Buffer>>();
  const codedAs = (coding: Coding, bytes: Buffer): Promise<Buffer> => {
    const known = coded.get(coding);
    if (known) return known;
    const fresh = COMPRESS[coding](bytes);
    coded.set(coding, fresh);
    return fresh;
  };
  return {
    async send({ headers }, reply) {
      if (!made) {
        const text = textOf();
        // Weak: it names the document, in whatever coding it is sent.
        made = { bytes: Buffer.from(text), etag: `W/"${hash("sha256", text, "base64url").slice(0, 22)}"` };
      }
      const { bytes, etag } = made;
      reply.headers({ etag, vary: "accept-encoding", "cache-control": "no-cache" });
      if (isNamed(headers["if-none-match"], etag)) return reply.code(304).send();
      reply.header("content-type", contentType);
      const coding = negotiate(headers["accept-encoding"] ?? "", ["br", "gzip"]) as Coding | null;
      if (coding === null) return reply.send(bytes);
      return reply.header("content-encoding", coding).send(await codedAs(coding, bytes));
    },
  };
}

/** Weak comparison (RFC 9110 section 13.1.2). */
const isNamed = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(",").some((one) => ["*", etag, etag.slice("W/".length)].includes(one.trim())) ?? false;
