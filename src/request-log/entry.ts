import { decodeId, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { AnsweredRequest } from "../ports/answered-request.ts";
import { type ShownBody, shownAnswer, shownJson, shownText } from "./redaction.ts";
import { shownPath } from "./shown-path.ts";

/** A request as it is kept: short, and without secrets. */
export interface Entry {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly durationMs: number;
  readonly about: string | null;
  readonly keyId: Uuid | null;
  readonly personId: Uuid | null;
  /** JSON. */
  readonly headers: string;
  readonly request: ShownBody | null;
  readonly answer: ShownBody | null;
}

/** What is shown of a request's head. Everything else may be a secret: keys, cookies, signatures, what proxies add. */
const HEADERS = [
  "content-type",
  "content-length",
  "user-agent",
  "idempotency-key",
  "afara-version",
  "prefer",
  "accept",
];
const HEADER_CHARACTERS_MAX = 200;
const METHOD_CHARACTERS_MAX = 10;

/** `withBodies`: false where the account has had more than enough of them. */
export function entryOf(asked: AnsweredRequest, withBodies: boolean): Entry | undefined {
  const id = decodeId("req", asked.id);
  if (id === undefined) return undefined;
  return {
    id,
    accountId: asked.accountId,
    mode: asked.mode,
    method: asked.method.slice(0, METHOD_CHARACTERS_MAX),
    path: shownPath(asked.url),
    status: asked.status,
    code: asked.code ?? null,
    durationMs: asked.durationMs,
    about: asked.about ?? null,
    keyId: asked.keyId,
    personId: asked.personId,
    headers: headersOf(asked.headers),
    request: withBodies && asked.body !== undefined ? shownJson(asked.body) : null,
    answer: withBodies && isAnswerKept(asked) ? shownAnswer(asked.answer) : null,
  };
}

/** What was only read can be read again, and is most of what is answered. */
const isAnswerKept = (asked: AnsweredRequest): asked is AnsweredRequest & { readonly answer: string | Buffer } =>
  asked.answer !== undefined && (asked.status >= 400 || (asked.method !== "GET" && asked.method !== "HEAD"));

function headersOf(headers: AnsweredRequest["headers"]): string {
  const shown: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = headers[name];
    if (typeof value === "string") shown[name] = shownText(value.slice(0, HEADER_CHARACTERS_MAX));
  }
  return JSON.stringify(shown);
}

/** About how much memory it takes. */
export const sizeOf = ({ path, headers, request, answer }: Entry): number =>
  400 + path.length + headers.length + (request?.text.length ?? 0) + (answer?.text.length ?? 0);
