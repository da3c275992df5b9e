import { ask } from "./client.ts";
import type { Mode } from "./place.ts";

export interface LoggedRequest {
  readonly id: string;
  readonly at: string;
  readonly mode: Mode;
  readonly method: string;
  /** With its query; values that may be personal are masked. */
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly duration_ms: number;
  readonly order: string | null;
  readonly key: { readonly id: string; readonly starts: string; readonly ends: string } | null;
  readonly person: { readonly id: string; readonly name: string | null } | null;
}

interface Body {
  /** JSON, or its beginning; null: there was none, or it is not kept. */
  readonly body: string | null;
  readonly cut: boolean;
}

export interface LoggedRequestInFull extends LoggedRequest {
  readonly kept_until: string;
  readonly request: Body & { readonly headers: Readonly<Record<string, string>> };
  readonly answer: Body;
}

export interface LoggedRequests {
  readonly data: readonly LoggedRequest[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

export interface RequestFilters {
  readonly order?: string | undefined;
  readonly status?: string | undefined;
  readonly code?: string | undefined;
  readonly method?: string | undefined;
  /** `programs` or `people`. Default: all but what the portal's pages read. */
  readonly by?: string | undefined;
}

export function listRequests(filters: RequestFilters, page: { limit: number; after?: string }) {
  const query = new URLSearchParams({ limit: String(page.limit), ...(page.after && { after: page.after }) });
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  return ask<LoggedRequests>("GET", `/requests?${query}`);
}

export const readRequest = (id: string): Promise<LoggedRequestInFull> =>
  ask("GET", `/requests/${encodeURIComponent(id)}`);
