import assert from "node:assert/strict";
import { waitFor } from "../../src/testing/wait-for.ts";
import type { Subscriber } from "./rig.ts";

/** An event as subscribers get it. */
export interface FeedItem {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly api_version: string;
  readonly sequence: number;
  readonly data: {
    readonly object: (Readonly<Record<string, unknown>> & { readonly id?: string; readonly object: string }) | null;
    readonly previous_status: string | null;
  };
}

export interface FeedPage {
  readonly data: readonly FeedItem[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** The long run on a busy machine. */
const WAIT_MS = 60_000;

type Reader = Pick<Subscriber, "get">;

export async function feedPage(reader: Reader, query: Readonly<Record<string, string>> = {}): Promise<FeedPage> {
  const answer = await reader.get<FeedPage>(`/events?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Follows the feed from a cursor on until what was read is enough. */
export async function follow(
  reader: Reader,
  isEnough: (items: readonly FeedItem[]) => boolean,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly FeedItem[]> {
  const items: FeedItem[] = [];
  let { after, ...filters } = query;
  const look = async () => {
    for (let hasMore = true; hasMore; ) {
      const page = await feedPage(reader, { ...filters, limit: "100", ...(after !== undefined && { after }) });
      items.push(...page.data);
      after = page.next_cursor;
      hasMore = page.has_more;
    }
    return isEnough(items) ? items : undefined;
  };
  return waitFor("the events", look, WAIT_MS).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${[...new Set(items.map(({ type }) => type))].join(", ")}`);
  });
}

/** What is wrong with the events of one subject: they are to come numbered from 1, each from the status before it. */
export function faultsOfOrder(items: readonly FeedItem[]): readonly string[] {
  const faults: string[] = [];
  const seen = new Map<string, number>();
  for (const { type, sequence, data } of items) {
    const id = String(data.object?.id ?? data.object?.object);
    const before = seen.get(id) ?? 0;
    if (sequence !== before + 1) faults.push(`${id}: ${type} is number ${sequence} behind ${before}`);
    seen.set(id, sequence);
  }
  if (new Set(items.map(({ id }) => id)).size !== items.length) faults.push("an event came twice");
  return faults;
}
