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
  useEffect(() => {
    const listener = (event: Told) => latest.current(event);
    listeners.add(listener);
    attend(`${account} ${mode}`);
    return () => {
      listeners.delete(listener);
      attend();
    };
  }, [account, mode]);
}

/**
 * One stream serves all of a page, and a page that nobody sees has none: a browser keeps six connections to a gateway, for all tabs
 * together. Who comes back hears what was missed.
 */
const listeners = new Set<(event: Told) => void>();
let scope = "";
let stream: AbortController | undefined;
let last: string | undefined;

document.addEventListener("visibilitychange", () => attend());

function attend(wanted = scope): void {
  const isWanted = listeners.size > 0 && document.visibilityState === "visible";
  if (stream && !(isWanted && wanted === scope)) {
    stream.abort();
    stream = undefined;
  }
  if (wanted !== scope || listeners.size === 0) last = undefined; // what is read from now on is as new
  scope = wanted;
  if (isWanted && !stream) {
    stream = new AbortController();
    void follow(stream.signal);
  }
}

async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const headers = { ...headersFor("GET"), ...(last && { "last-event-id": last }) };
      const response = await fetch("/events/stream", { headers, signal });
      if (!response.ok || !response.body) return; // refused: the pages ask by themselves then
      for await (const line of linesOf(response.body)) {
        if (signal.aborted) return;
        if (line.startsWith("id:")) last = line.slice(3).trim();
        if (line.startsWith("data:")) tell(JSON.parse(line.slice(5)) as Told);
      }
    } catch {
      // The connection broke, or the page was left.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

const tell = (event: Told): void => {
  for (const listener of listeners) listener(event);
};

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
