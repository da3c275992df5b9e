import createClient, { type Middleware } from "openapi-fetch";
import { confirmed } from "./confirmation.ts";
import type { components, paths } from "./paths.d.ts";
import { type Mode, placeNow } from "./place.ts";
import { Problem, unreachable } from "./problem.ts";

export type Models = components["schemas"];

let csrfToken: string | undefined;
/** Told by the session; a request that changes something proves with it that a page of ours made it. */
export const setCsrfToken = (token: string | null): void => {
  csrfToken = token ?? undefined;
};

const READS = ["GET", "HEAD"];

/** What every request says of itself besides the cookie. */
export function headersFor(method: string): Record<string, string> {
  const { account, mode } = placeNow();
  return {
    "afara-mode": mode,
    ...(account && { "afara-account": account }),
    ...(csrfToken && !READS.includes(method) && { "afara-csrf": csrfToken }),
  };
}

const signedIn: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(headersFor(request.method)))
      if (!request.headers.has(name)) request.headers.set(name, value);
    return request;
  },
};

/** Sends a request, and once more when it had to be confirmed and the person has done so. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  if (response.status !== 403) return response;
  const { code } = new Problem(403, parsed(await response.clone().text()));
  return code === "confirmation_required" && (await confirmed()) ? fetch(again) : response;
}

/** The public API, as its OpenAPI document describes it. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: send });
api.use(signedIn);

/** The answer's body, or the refusal as an error. */
export async function take<Body>(
  asked: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<NonNullable<Body>> {
  const { data, error, response } = await asked.catch(() => {
    throw unreachable();
  });
  if (data === undefined || data === null) throw new Problem(response.status, error);
  return data;
}

interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call, whose path is known only when it is made. */
export async function call<Body>(method: string, path: string, { body, headers: more }: CallOptions): Promise<Body> {
  const headers = {
    ...headersFor(method),
    ...more,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await send(new Request(path, init)).catch(() => {
    throw unreachable();
  });
  const answer = parsed(await response.text());
  if (!response.ok) throw new Problem(response.status, answer);
  return answer as Body;
}

/** The portal's own endpoints, which are no part of the public API. `mode`: another than that of the page. */
export const ask = <Body>(method: string, path: string, body?: unknown, mode?: Mode): Promise<Body> =>
  call(method, `/portal/api${path}`, { body, ...(mode && { headers: { "afara-mode": mode } }) });

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a page of something in between
  }
}
