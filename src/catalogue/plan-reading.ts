/** A product that is sold by plans: what its plans' names say, and which of them are the same. */
export interface PlanReading<Group extends string, Facts> {
  /** As in payloads, in `Provider.plans` and in the tables: never renamed. */
  readonly product: string;
  /** In words, for the log: "data plans". */
  readonly noun: string;
  /** Whose plans there are (networks), by our codes. Others are not sold. */
  readonly groups: readonly Group[];
  /** What a plan's name says. Vendors have it nowhere but in this free text. */
  read(name: string): Facts;
  /** Whether a vendor's code under another name still means what its plan promised. */
  isSame(before: Facts, after: Facts): boolean;
  /** The order of plans of one group, as of `sort`; equal ones are ordered by cost. */
  compare(one: Facts, other: Facts): number;
  /** What a plan is, for people, in its id after the group. */
  words(facts: Facts): readonly string[];
}
