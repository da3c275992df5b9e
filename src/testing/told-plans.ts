import pg from "pg";

/** A node of PostgreSQL's plan, as EXPLAIN tells it in JSON. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** One statement that was run, those inside of functions too. */
export interface ToldPlan {
  readonly text: string;
  /** The node that went through most rows, with how many: read, thrown away, or compared. */
  readonly most: { readonly rows: number; readonly at: string };
}

/** Settings of a session that tells the plan of each statement by notices. */
const TELLING = [
  "session_preload_libraries=auto_explain",
  "auto_explain.log_min_duration=0",
  "auto_explain.log_nested_statements=on",
  "auto_explain.log_analyze=on",
  "auto_explain.log_timing=off",
  "auto_explain.log_format=json",
  "auto_explain.log_level=notice",
  "client_min_messages=notice",
];

/** Connections whose plans are told, as they were run with these rows and statistics. For superusers only. */
export function tellPlans(connection: pg.ClientConfig): {
  readonly connection: pg.ClientConfig;
  /** What was run since it was last asked for. */
  take(): readonly ToldPlan[];
} {
  let told: ToldPlan[] = [];
  class Telling extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super(config);
      this.on("notice", ({ message = "" }) => {
        const start = message.indexOf("plan:\n");
        if (start >= 0) told.push(planOf(message.slice(start + "plan:\n".length)));
      });
    }
  }
  return {
    // The pool makes its clients of this class.
    connection: {
      ...connection,
      options: TELLING.map((one) => `-c ${one}`).join(" "),
      Client: Telling,
    } as pg.ClientConfig,
    take() {
      const taken = told;
      told = [];
      return taken;
    },
  };
}

function planOf(json: string): ToldPlan {
  const { "Query Text": text, Plan: plan } = JSON.parse(json) as { "Query Text": string; Plan: PlanNode };
  const all: { rows: number; at: string }[] = [];
  const walk = (node: PlanNode): void => {
    const each =
      (node["Actual Rows"] ?? 0) +
      (node["Rows Removed by Filter"] ?? 0) +
      (node["Rows Removed by Index Recheck"] ?? 0) +
      (node["Rows Removed by Join Filter"] ?? 0);
    all.push({
      rows: Math.round(each * (node["Actual Loops"] ?? 0)),
      at: [node["Node Type"], node["Relation Name"]].filter(Boolean).join(" on "),
    });
    node.Plans?.forEach(walk);
  };
  walk(plan);
  return { text: text.replaceAll(/\s+/g, " ").trim(), most: all.toSorted((a, b) => b.rows - a.rows)[0]! };
}
