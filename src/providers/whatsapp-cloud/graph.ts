import { statusAndCode } from "../../kernel/logged-code.ts";
import { fieldsOf, readFields } from "../../vendor-text/fields.ts";
import { type HttpOutcome, httpCall } from "../http-call.ts";
import { codeOf } from "./graph-error.ts";
import type { WhatsappSettings } from "./settings.ts";

/** The Graph API at the pinned version, with our token. */
export interface Graph {
  readonly authorization: Readonly<Record<"authorization", string>>;
  call(
    method: "GET" | "POST",
    path: string,
    more?: { readonly body?: string | FormData; readonly timeoutMs?: number },
  ): Promise<HttpOutcome>;
}

export function makeGraph(settings: WhatsappSettings, fetchIt: typeof fetch): Graph {
  const { baseUrl, version, accessToken, responseTimeoutMs } = settings;
  const authorization = { authorization: `Bearer ${accessToken}` };
  return {
    authorization,
    call: (method, path, { body, timeoutMs = responseTimeoutMs } = {}) =>
      httpCall(fetchIt, {
        method,
        url: `${baseUrl}/${version}/${path}`,
        headers: {
          ...authorization,
          accept: "application/json",
          // A form has a type of its own, with the boundary.
          ...(typeof body === "string" && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body }),
        timeoutMs,
      }),
  };
}

/** Why a call other than a message's brought nothing, for the log. */
export function sayWhyNot(outcome: HttpOutcome): string {
  if (outcome.kind !== "answered") return outcome.detail;
  const code = codeOf(fieldsOf(readFields(outcome.text)?.error));
  return statusAndCode(outcome.status, code);
}
