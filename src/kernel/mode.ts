/** Live orders reach vendors and cost money; test orders reach the simulators and cost play money. */
export type Mode = "live" | "test";

export const isMode = (text: string): text is Mode => text === "live" || text === "test";
