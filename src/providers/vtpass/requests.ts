import { type Attempt, soldOf } from "./products.ts";

/** The body of `pay`. */
export const payBody = (attempt: Attempt): Readonly<Record<string, unknown>> => ({
  request_id: attempt.reference,
  ...soldOf(attempt).body,
});
