/** Closes the query of a route that describes none, so that a misspelt parameter is told instead of ignored. */
export const NO_QUERY = { type: "object", properties: {}, additionalProperties: false } as const;

/** The body of a route that describes none: nothing, or an empty object. */
export const NO_BODY = { type: ["object", "null"], properties: {}, additionalProperties: false } as const;
