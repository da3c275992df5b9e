/** One fault of a request: where it is and what to do about it. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}

/** A refusal as the API gives it (RFC 9457), or one in the same form where there was no answer. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly faults: readonly Fault[];

  constructor(status: number, body: unknown) {
    const { code, detail, message, request_id, errors } = (body ?? {}) as Partial<Record<string, unknown>>;
    const told = [detail, message].find((text) => typeof text === "string" && text !== "") as string | undefined;
    super(told ?? sayingOf(status));
    this.status = status;
    this.code = typeof code === "string" ? code : `status_${status}`;
    this.requestId = typeof request_id === "string" ? request_id : undefined;
    this.faults = Array.isArray(errors) ? (errors as Fault[]) : [];
  }

  /** What is said of a field, by its JSON Pointer. */
  of(pointer: string): string | undefined {
    return this.faults.find((fault) => fault.pointer === pointer)?.detail;
  }
}

/** No answer at all. */
export const unreachable = (): Problem =>
  new Problem(0, { code: "unreachable", detail: "The gateway can't be reached. Check the connection and try again." });

const sayingOf = (status: number): string =>
  status >= 500 ? "Something went wrong on our side. Try again in a moment." : `The request was refused (${status}).`;

export const problemOf = (error: unknown): Problem => (error instanceof Problem ? error : unreachable());
