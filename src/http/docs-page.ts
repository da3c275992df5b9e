import type { FastifyReply } from "fastify";
import { DOCS_CSP } from "../reference/shell.ts";

/** Sends a page by itself with the reply's current status. */
export const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.headers({ "content-type": "text/html; charset=utf-8", "content-security-policy": DOCS_CSP }).send(page);
