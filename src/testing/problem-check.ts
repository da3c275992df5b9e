import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { VerifiedSmartcard } from "../cable/cable.schemas.ts";
import { VerifiedMeter } from "../electricity/electricity.schemas.ts";
import { Models } from "../http/openapi-models.ts";
import { makeProblemSchemas } from "../http/problem-schemas.ts";
import type { ErrorCode } from "../kernel/refusal.ts";
import { purchaseModels } from "../purchases/purchase-models.schemas.ts";
import { ALL_PROBLEMS } from "./all-problems.ts";
import { PRODUCT_LINES } from "./product-lines.ts";

const problemSchema = makeProblemSchemas(ALL_PROBLEMS);
const checks = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });

/** What in a problem is not as the OpenAPI document has it, a member that the document does not name included. */
export function problemFault(problem: unknown): string | undefined {
  const { code } = { code: "", ...(problem as { readonly code?: unknown } | null) };
  if (typeof code !== "string" || !ALL_PROBLEMS.has(code)) return `no documented code: ${String(code)}`;
  const fits = checks.get(code) ?? checkOf(code);
  checks.set(code, fits);
  return fits(problem) ? undefined : `${code}: ${ajv.errorsText(fits.errors)}`;
}

const { Purchase } = purchaseModels(PRODUCT_LINES);

function checkOf(code: ErrorCode): ValidateFunction {
  const models = new Models();
  // Problems refer to these by name, as the operations that answer with them have them.
  for (const model of [Purchase, VerifiedMeter, VerifiedSmartcard]) models.take({ ...model });
  const schema = models.take(problemSchema(code));
  return ajv.compile({ ...schema, unevaluatedProperties: false, components: { schemas: models.all() } });
}
