import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { ADDRESS_HEADER, BASE_PATH, LIBRARY_ORIGIN } from "./library.ts";
import { refusalOf } from "./library-refusals.ts";

/** Who asks, as far as we know it ourselves. */
export interface Visitor {
  /** What the person's browser is at, for links in mails. */
  readonly origin: string;
  readonly address: string;
  readonly userAgent: string;
  readonly cookies: string;
}

export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface LibraryAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  /** `Set-Cookie` headers. */
  readonly cookies: readonly string[];
}

export type AskLibrary = (visitor: Visitor, question: Question) => Promise<Result<LibraryAnswer, Refusal>>;

const USER_AGENT_MAX = 300;

/**
 * Asks better-auth as its own HTTP handler would be asked, with no header of the visitor's but the cookies. Throws where it failed for
 * reasons of its own. `probe` rejects while storage is away, which the library does not tell from other failures.
 */
export const makeAskLibrary =
  (handler: () => Promise<(request: Request) => Promise<Response>>, probe: () => Promise<unknown>): AskLibrary =>
  async (visitor, { method, path, query, body }) => {
    const url = new URL(`${BASE_PATH}${path}`, visitor.origin);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const request = new Request(url, {
      method,
      headers: {
        origin: LIBRARY_ORIGIN,
        cookie: visitor.cookies,
        "user-agent": visitor.userAgent.slice(0, USER_AGENT_MAX),
        [ADDRESS_HEADER]: visitor.address,
        ...(method === "POST" && { "content-type": "application/json" }),
      },
      ...(method === "POST" && { body: JSON.stringify(body ?? {}) }),
    });
    const response = await (await handler())(request);
    const text = await response.text();
    const answered = (text === "" ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>> | null;
    if (response.ok) return ok({ body: answered ?? {}, cookies: response.headers.getSetCookie() });
    const code = String(answered?.code ?? "");
    const refused = refusalOf(response.status, code);
    if (!refused) {
      await probe();
      throw new Error(`better-auth answered ${response.status} ${code} to ${path}`);
    }
    return refuse(refused);
  };
