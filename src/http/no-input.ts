/** The query schema of a route without parameters: a misspelt parameter is refused instead of ignored. */
export const NO_QUERY = { type: "object", properties: {}, additionalProperties: false } as const;

/** The body schema of a route without a body: nothing, or an empty object. */
export const NO_BODY = { type: ["object", "null"], properties: {}, additionalProperties: false } as const;
