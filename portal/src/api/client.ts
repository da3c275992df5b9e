import createClient, { type Middleware } from "openapi-fetch";
import { confirmed } from "./confirmation.ts";
import type { components, paths } from "./paths.d.ts";
import { type Mode, placeNow } from "./place.ts";
import { Problem, problemOf, unreachable } from "./problem.ts";

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

/** The public API, as its OpenAPI document describes it. */
export const api = createClient<paths>({ baseUrl: location.origin });
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

/**
 * The portal's own endpoints, which are no part of the public API. `mode`: another than that of the page. What the person has to confirm
 * is asked once more when they have.
 */
export async function ask<Body>(method: string, path: string, body?: unknown, mode?: Mode): Promise<Body> {
  try {
    return await askOnce<Body>(method, path, body, mode);
  } catch (error) {
    const mayRepeat = problemOf(error).code === "confirmation_required" && (await confirmed());
    if (!mayRepeat) throw error;
    return askOnce<Body>(method, path, body, mode);
  }
}

async function askOnce<Body>(method: string, path: string, body?: unknown, mode?: Mode): Promise<Body> {
  const headers = {
    ...headersFor(method),
    ...(mode && { "afara-mode": mode }),
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`/portal/api${path}`, init).catch(() => {
    throw unreachable();
  });
  const text = await response.text();
  const answer = text === "" ? undefined : parsed(text);
  if (!response.ok) throw new Problem(response.status, answer);
  return answer as Body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a page of something in between
  }
}
