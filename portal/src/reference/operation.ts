/** An operation that a page can send, as the page describes it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly scope: string | null;
  /** Whether it takes an `Idempotency-Key`. */
  readonly sendsKey: boolean;
  readonly parameters: readonly Parameter[];
  readonly bodies: readonly { readonly summary: string; readonly value: unknown }[];
}

export interface Parameter {
  readonly name: string;
  readonly place: "path" | "query";
  readonly isRequired: boolean;
  readonly example: string;
}

/** Its address with these parameters; those left empty are not sent. */
export function addressOf({ path, parameters }: Operation, given: (name: string) => string): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, place } of parameters) {
    const value = given(name);
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(name, value);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

export interface Outcome {
  readonly status: number;
  readonly phrase: string;
  readonly isGood: boolean;
  readonly ms: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Headers of an answer that say something about the call. */
const TELLING = ["Request-Id", "Idempotent-Replayed", "Location", "RateLimit", "Retry-After", "Content-Type"];
const TEXT_LENGTH_MAX = 200_000;

/** Sends a request, and reads its answer as people read it. Rejects when there is none. */
export async function send(address: string, init: RequestInit): Promise<Outcome> {
  const begun = performance.now();
  const response = await fetch(address, { ...init, cache: "no-store" });
  const bytes = await response.arrayBuffer();
  return {
    status: response.status,
    phrase: response.statusText,
    isGood: response.ok,
    ms: Math.round(performance.now() - begun),
    headers: TELLING.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    body: readable(bytes, response.headers.get("content-type") ?? ""),
  };
}

function readable(bytes: ArrayBuffer, type: string): string {
  if (!/json|^text\//.test(type)) return bytes.byteLength === 0 ? "" : `${bytes.byteLength} bytes`;
  const text = new TextDecoder().decode(bytes).slice(0, TEXT_LENGTH_MAX);
  if (!type.includes("json")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // cut, or of something in between
  }
}
