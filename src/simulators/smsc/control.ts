import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { invariant } from "../../kernel/result.ts";
import { readOddDelivery } from "./odd-delivery.ts";
import type { Smsc } from "./server.ts";

const BODY_BYTES_MAX = 256 * 1024;
const SUBMISSIONS_LIMIT = 10_000;

interface Request {
  readonly query: URLSearchParams;
  /** What the path's pattern captured. */
  readonly captured: string;
  /** Parsed JSON; undefined when there was no body. */
  readonly body: unknown;
}
interface Reply {
  readonly status: number;
  readonly body: unknown;
}
interface Route {
  readonly method: string;
  readonly path: RegExp;
  reply(smsc: Smsc, request: Request): Reply;
}

const ok = (body: unknown): Reply => ({ status: 200, body });
const wrong = (...errors: readonly string[]): Reply => ({ status: 400, body: { errors } });

const NOBODY_RECEIVES: Reply = { status: 409, body: { errors: ["no session is bound for receiving"] } };

const ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: /^\/handsets\/(?:\+|%2B)?(\d{1,15})$/,
    reply: (smsc, { captured, query }) => {
      const orders = query.get("orders");
      return ok({
        messages: smsc.handsets.messages(captured, orders === null ? undefined : new Set(orders.split(","))),
      });
    },
  },
  {
    // The same as GET, for more orders than a URL holds.
    method: "POST",
    path: /^\/handsets\/(?:\+|%2B)?(\d{1,15})$/,
    reply: (smsc, { captured, body }) =>
      isStringArray(body)
        ? ok({ messages: smsc.handsets.messages(captured, new Set(body)) })
        : wrong("the body is a list of order ids"),
  },
  { method: "POST", path: /^\/handsets\/(?:\+|%2B)?(\d{1,15})\/messages$/, reply: handsetWrites },
  {
    method: "POST",
    path: /^\/deliveries$/,
    reply: (smsc, { body }) => {
      const odd = readOddDelivery(body);
      if (!odd.ok) return wrong(...odd.error);
      return smsc.deliver(odd.value) ? { status: 202, body: {} } : NOBODY_RECEIVES;
    },
  },
  { method: "GET", path: /^\/faults$/, reply: (smsc) => ok(smsc.faults) },
  {
    method: "POST",
    path: /^\/faults$/,
    reply: (smsc, { body }) => {
      const result = smsc.setFaults(body);
      return result.ok ? ok(result.value) : wrong(...result.error);
    },
  },
  {
    method: "POST",
    path: /^\/hang-up$/,
    reply: (smsc) => {
      smsc.hangUp();
      return ok({});
    },
  },
  {
    method: "POST",
    path: /^\/forget-binds$/,
    reply: (smsc) => {
      smsc.forgetBinds();
      return ok({});
    },
  },
  { method: "GET", path: /^\/stats$/, reply: (smsc) => ok(smsc.stats) },
  {
    method: "GET",
    path: /^\/submissions$/,
    reply: (smsc, { query }) => {
      const after = Number(query.get("after") ?? 0);
      return Number.isSafeInteger(after) && after >= 0
        ? ok(smsc.submissions(after, SUBMISSIONS_LIMIT))
        : wrong("after: a whole number, 0 or more");
    },
  },
];

function handsetWrites(smsc: Smsc, { captured, body }: Request): Reply {
  const { to, message, systemId } = asObject(body);
  if (typeof to !== "string" || !/^\+?[\w ]{1,20}$/.test(to))
    return wrong("to: the address that the handset writes to");
  if (typeof message !== "string" || message === "") return wrong("message: the text");
  if (systemId !== undefined && typeof systemId !== "string") return wrong("systemId: a string");
  const messageId = smsc.handsetWrites({
    from: captured,
    to,
    text: message,
    ...(systemId !== undefined && { systemId }),
  });
  return messageId === null ? NOBODY_RECEIVES : { status: 202, body: { messageId } };
}

const asObject = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null ? { ...body } : {};

const isStringArray = (body: unknown): body is string[] =>
  Array.isArray(body) && body.every((item) => typeof item === "string");

/** The simulator's HTTP control API: handsets, faults and submissions. For tests, so without authentication. */
export class SmscControl {
  readonly #server: Server;

  constructor(smsc: Smsc) {
    this.#server = createServer((request, response) => {
      answer(smsc, request).then(
        ({ status, body }) => send(response, status, body),
        (error: unknown) => send(response, 500, { errors: [String(error)] }),
      );
    });
  }

  /** Gives the port. */
  async start(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ host, port }, resolve);
    });
    const address = this.#server.address();
    invariant(typeof address === "object" && address !== null, "a TCP server that listens has an address");
    return address.port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

async function answer(smsc: Smsc, request: IncomingMessage): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://simulator");
  for (const route of ROUTES) {
    const match = route.method === request.method ? route.path.exec(pathname) : null;
    if (!match) continue;
    const body = await readJson(request);
    return body.ok
      ? route.reply(smsc, { query: searchParams, captured: match[1] ?? "", body: body.value })
      : body.reply;
  }
  return { status: 404, body: { errors: [`${request.method} ${pathname} is not part of the control API`] } };
}

async function readJson(
  request: IncomingMessage,
): Promise<{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reply: Reply }> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) {
    text += chunk;
    if (text.length > BODY_BYTES_MAX) return { ok: false, reply: wrong("the body is too long") };
  }
  if (text === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, reply: wrong("the body is not JSON") };
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
