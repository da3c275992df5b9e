import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

/** A request of an account at the moment its answer is decided, as it was: nothing of it is redacted yet. */
export interface AnsweredRequest {
  /** `req_…`, as the caller is told it. */
  readonly id: string;
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** One of the two: the key that was sent, or the person who is signed in. */
  readonly keyId: Uuid | null;
  readonly personId: Uuid | null;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What its JSON said; undefined: it had no body, or none that was read. */
  readonly body: unknown;
  readonly status: number;
  /** Of the refusal. */
  readonly code: string | undefined;
  readonly durationMs: number;
  /** The public id of the order that it was about. */
  readonly about: string | undefined;
  /** The answer's JSON. */
  readonly answer: string | Buffer | undefined;
}

/** Takes a request down for its account. Returns at once, and never throws. */
export type KeepRequest = (request: AnsweredRequest) => void;
