import type { Schema } from "./openapi-models.ts";

/** An answer of an operation in the OpenAPI document. */
export interface Response {
  description: string;
  headers?: object;
  content?: Record<string, Media>;
}

/** One form of its body. */
export interface Media {
  schema?: Schema;
  examples?: Record<string, { summary?: string; value?: unknown; $ref?: string }>;
}
