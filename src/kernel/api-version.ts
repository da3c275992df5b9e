/** The version of the API that this gateway speaks. */
export const API_VERSION = "2026-11-27";
export const API_VERSIONS: readonly string[] = [API_VERSION];
