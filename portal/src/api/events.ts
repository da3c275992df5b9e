import { useEffect, useRef } from "react";
import { headersFor } from "./client.ts";
import { useScope } from "./session.ts";

interface Told {
  readonly type: string;
  readonly data: { readonly object: { readonly id?: string } };
}

const AGAIN_MS = 3_000;

/**
 * Calls back at each event of the account, for as long as the page is open. `EventSource` can't say which account and mode, so the
 * stream is read by hand.
 */
export function useEvents(heard: (event: Told) => void): void {
  const [account, mode] = useScope();
  const latest = useRef(heard);
  latest.current = heard;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account or mode has another stream
  useEffect(() => {
    const end = new AbortController();
    void follow(end.signal, (event) => latest.current(event));
    return () => end.abort();
  }, [account, mode]);
}

async function follow(signal: AbortSignal, heard: (event: Told) => void): Promise<void> {
  let last: string | undefined;
  while (!signal.aborted) {
    try {
      const headers = { ...headersFor("GET"), ...(last && { "last-event-id": last }) };
      const response = await fetch("/events/stream", { headers, signal });
      if (!response.ok || !response.body) return; // refused: the pages ask by themselves then
      for await (const line of linesOf(response.body)) {
        if (line.startsWith("id:")) last = line.slice(3).trim();
        if (line.startsWith("data:")) heard(JSON.parse(line.slice(5)) as Told);
      }
    } catch {
      // The connection broke, or the page was left.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
