import Type from "typebox";
import type { ErrorCode } from "../kernel/refusal.ts";
import { pascalCase, type Schema } from "./openapi-models.ts";
import type { Problems } from "./problems.ts";
import { named, oneOf } from "./schemas.ts";

/** The schema of the refusals with this code: what all have, its own members, and `code` as one value. */
export type ProblemSchemaOf = (code: ErrorCode) => Schema;

/** `insufficient_balance` → `InsufficientBalanceProblem` */
export const problemName = (code: ErrorCode): string => `${pascalCase(code)}Problem`;

export function makeProblemSchemas({ codes, faultCodes, kindOf }: Problems): ProblemSchemaOf {
  const Fault = Type.Object(
    {
      pointer: Type.Optional(Type.String({ description: "JSON Pointer into the body." })),
      parameter: Type.Optional(Type.String({ description: "Name of the query or path parameter." })),
      code: named("FaultCode", oneOf(faultCodes)),
      detail: Type.String(),
    },
    { title: "Fault" },
  );
  const Problem = Type.Object(
    {
      type: Type.String({ description: "Path of the page that explains the code." }),
      title: Type.String(),
      status: Type.Integer(),
      code: named("ErrorCode", oneOf(codes)),
      detail: Type.String({ description: "For people: what to do about this case." }),
      request_id: Type.String(),
      retryable: Type.Boolean({ description: "Whether the same request may succeed later." }),
      errors: Type.Optional(
        Type.Array(Fault, { description: "All faults of the request, each with its field's location." }),
      ),
    },
    { title: "Problem", description: "RFC 9457 problem details." },
  );
  return (code) => {
    const { title, members } = kindOf(code);
    const own = Type.Object({ code: oneOf([code]), ...members });
    return { title: problemName(code), description: title, allOf: [Problem, own] };
  };
}
