import type { Member } from "../../api/team.ts";

/** What is to be done to a member. */
export interface Change {
  readonly member: Member;
  readonly how: "role" | "remove" | "leave";
}
