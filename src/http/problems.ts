import type { TProperties } from "typebox";
import type { ErrorCode, FaultCode, Refusal } from "../kernel/refusal.ts";
import { invariant } from "../kernel/result.ts";

/** What is the same for every refusal with one code. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** The very same request may pass later, without a change by the caller. */
  readonly retryable?: true;
  /** It may also be the code of a field's fault. */
  readonly ofField?: true;
  /** Members of the problem besides those that all have. */
  readonly members?: TProperties;
}

/** The codes that one part brings through its door. */
export interface OwnRefusals {
  readonly problems: Readonly<Record<string, ProblemKind>>;
  /** Rules of one field that no other part has. They refuse nothing by themselves. */
  readonly fieldCodes: readonly string[];
}

/** For the declaration that adds a part's codes to `ErrorCodes` and `FieldCodes`. */
export type ErrorCodesOf<Own extends OwnRefusals> = Own["problems"];
export type FieldCodesOf<Own extends OwnRefusals> = Record<Own["fieldCodes"][number], true>;

/** All codes of the gateway: the only table of HTTP statuses. */
export interface Problems {
  readonly codes: readonly ErrorCode[];
  readonly faultCodes: readonly FaultCode[];
  has(code: string): code is ErrorCode;
  kindOf(code: ErrorCode): ProblemKind;
}

/** The closed lists, made from what each part brings. Throws when two parts bring the same code. */
export function makeProblems(parts: readonly OwnRefusals[]): Problems {
  const kinds = new Map<string, ProblemKind>();
  for (const [code, kind] of parts.flatMap(({ problems }) => Object.entries(problems))) {
    invariant(!kinds.has(code), `only one part brings the code ${code}`);
    kinds.set(code, kind);
  }
  const ofFields = [...kinds].filter(([, { ofField }]) => ofField).map(([code]) => code);
  return {
    codes: [...kinds.keys()] as ErrorCode[],
    faultCodes: [...parts.flatMap(({ fieldCodes }) => fieldCodes), ...ofFields] as FaultCode[],
    has: (code): code is ErrorCode => kinds.has(code),
    kindOf(code) {
      const kind = kinds.get(code);
      invariant(kind, `a part of this gateway brings the code ${code}`);
      return kind;
    },
  };
}

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** RFC 9457 body of a refusal. Members of the refusal come last and may make `retryable` more exact, nothing else. */
export const problemOf = (
  { code, detail, errors, members }: Refusal,
  requestId: string,
  { title, status, retryable }: ProblemKind,
) => ({
  type: `/docs/errors/${code}`,
  title,
  status,
  code,
  detail,
  request_id: requestId,
  retryable: retryable === true,
  ...(errors && { errors }),
  ...members,
});

/** Carries a refusal through places that can only throw: validators, body parsers, hooks of the framework. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.name = "RefusedError";
    this.refusal = refusal;
  }
}
