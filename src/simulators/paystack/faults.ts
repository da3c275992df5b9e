import type { ServerResponse } from "node:http";

/** What may go wrong with an answer. The call itself is done: the truth is what `GET /control/transactions` says. */
export const FAULT_KINDS = [
  "error_500",
  "html",
  "truncated",
  "empty",
  "silent",
  "hang_up",
  "slow",
  "unlisted_status",
  "other_reference",
  "amount_as_text",
  "amount_as_fraction",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  /** Part of the path of the calls that it meets, e.g. `/transaction/verify`. */
  readonly path: string;
  readonly kind: FaultKind;
  /** How many calls it meets. */
  times: number;
}

const SLOW_MS = 300;

/** Answers with `body`, or what the fault makes of it. */
export function answerWith(response: ServerResponse, status: number, body: unknown, fault?: FaultKind): void {
  if (fault === "silent") return;
  if (fault === "hang_up") {
    response.socket?.destroy();
    return;
  }
  const [code, type, content] = contentOf(status, JSON.stringify(fault ? spoilt(body, fault) : body), fault);
  setTimeout(() => response.writeHead(code, { "content-type": type }).end(content), fault === "slow" ? SLOW_MS : 0);
}

const JSON_TYPE = "application/json; charset=utf-8";

function contentOf(status: number, text: string, fault?: FaultKind): readonly [number, string, string] {
  switch (fault) {
    case "error_500":
      return [500, JSON_TYPE, '{"status":false,"message":"An error occurred"}'];
    case "html":
      return [200, "text/html", "<html><title>Just a moment…</title></html>"];
    case "truncated":
      return [200, JSON_TYPE, text.slice(0, text.length / 2)];
    case "empty":
      return [200, JSON_TYPE, ""];
    default:
      return [status, JSON_TYPE, text];
  }
}

/** Odd values in an answer that is otherwise whole. */
function spoilt(body: unknown, fault: FaultKind): unknown {
  const envelope = body as { data?: Record<string, unknown> };
  if (!envelope.data) return body;
  const { data } = envelope;
  const changes: Partial<Record<FaultKind, Record<string, unknown>>> = {
    unlisted_status: { status: "settling" },
    other_reference: { reference: "somebody-elses" },
    amount_as_text: { amount: String(data.amount) },
    amount_as_fraction: { amount: Number(data.amount) + 0.5 },
  };
  return { ...envelope, data: { ...data, ...changes[fault] } };
}
