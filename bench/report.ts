import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EChartsCoreOption, init } from "echarts";
import { escaped } from "./markup.ts";
import type { Result } from "./result.ts";
import { median } from "./table.ts";

/** One run, as `results.json` has it. */
export interface Run {
  readonly machine: {
    readonly processor: string;
    readonly cores: number;
    readonly node: string;
    readonly commit: string;
    readonly at: string;
  };
  readonly results: readonly Result[];
}

const HERE = import.meta.dirname;
export const RESULTS = join(HERE, "results.json");

/** What says how far a measurement is from its goal: where it has several figures, the worst. `isLess`: less is better. */
const HEADLINES: Readonly<
  Record<string, { readonly name: string; readonly goals: Readonly<Record<string, number>>; readonly isLess?: boolean }>
> = {
  P1: { name: "P1 acceptance", goals: { ratio: 0.5 } },
  P2: { name: "P2 end to end", goals: { ratio: 3 } },
  P3: { name: "P3 a purchase", goals: { addedP50: 5, addedP99: 30 }, isLess: true },
  P4: { name: "P4 bulk", goals: { recipientsPerSecond: 10_000 } },
  P6: { name: "P6 a code among bulks", goals: { busyP99: 250 }, isLess: true },
  P8: { name: "P8 cost of an SMS", goals: { gateway: 5, postgres: 4, walKB: 2.5 }, isLess: true },
  P9: {
    name: "P9 a bystander",
    goals: {
      "one bulk of 3.7 MB p99": 500,
      "20 at once p99": 500,
      "60 by a key of the plan growth p99": 500,
      "200 at once p99": 500,
    },
    isLess: true,
  },
  P10: { name: "P10 webhooks", goals: { ratio: 0.75 } },
};

/** How much of the goal is reached, in percent: 100 is the goal, more is better. Undefined: a figure is missing. */
function reachedPercent({ id, figures }: Result): number | undefined {
  const headline = HEADLINES[id];
  if (!headline) return undefined;
  const shares = Object.entries(headline.goals).map(([figure, goal]) => {
    const measured = figures[figure];
    const value = typeof measured === "number" ? measured : median(measured ?? []);
    return headline.isLess ? goal / value : value / goal;
  });
  const worst = Math.min(...shares);
  return Number.isFinite(worst) ? Math.round(100 * worst) : undefined;
}

/** Writes `report.html`, which asks nobody for anything, and `summary.svg` for the README. */
export function writeReport(run: Run): void {
  const summary = summaryChart(run.results);
  writeFileSync(join(HERE, "summary.svg"), `${summary}\n`);
  const history = [...earlierRuns().filter(({ machine }) => machine.at !== run.machine.at), run];
  writeFileSync(
    join(HERE, "report.html"),
    page(run, [summary, ...run.results.flatMap(chartsOf), historyChart(history)]),
  );
}

/** The committed runs, the oldest first. */
function earlierRuns(): readonly Run[] {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: HERE, encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "ignore"] });
  const commits = git("log", "--reverse", "--format=%h", "--", "results.json").split("\n").filter(Boolean);
  return commits.map((commit) => JSON.parse(git("show", `${commit}:./results.json`)) as Run);
}

function draw(width: number, height: number, option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: "system-ui, sans-serif" },
    backgroundColor: "#fff",
    ...option,
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

const [GREEN, RED, SHOWN_MAX] = ["#0f766e", "#b91c1c", 300];

function summaryChart(results: readonly Result[]): string {
  const rows = results.flatMap((result) => {
    const percent = reachedPercent(result);
    return percent === undefined ? [] : [{ name: HEADLINES[result.id]!.name, value: result.value, percent }];
  });
  return draw(720, 60 + 30 * rows.length, {
    title: { text: "How much of each goal is reached (100 % is the goal)", textStyle: { fontSize: 13 } },
    grid: { left: 150, right: 210, top: 34, bottom: 24 },
    xAxis: { type: "value", max: SHOWN_MAX, axisLabel: { formatter: "{value} %" } },
    yAxis: { type: "category", inverse: true, data: rows.map(({ name }) => name), axisLabel: { fontSize: 11 } },
    series: [
      {
        type: "bar",
        data: rows.map(({ value, percent }) => ({
          value: Math.min(percent, SHOWN_MAX),
          itemStyle: { color: percent >= 100 ? GREEN : RED },
          label: { show: true, position: "right", formatter: `${percent} % (${value})`, fontSize: 11 },
        })),
        markLine: { symbol: "none", silent: true, label: { show: false }, data: [{ xAxis: 100 }] },
      },
    ],
  });
}

/** The rounds of whatever was measured in rounds, and latencies where there are some. */
function chartsOf({ id, figures }: Result): readonly string[] {
  const rounds = Object.entries(figures).filter(
    (entry): entry is [string, readonly number[]] => Array.isArray(entry[1]) && entry[1].length > 0,
  );
  const latencies = Object.keys(figures).flatMap((name) => (name.endsWith(" p99.9") ? [name.slice(0, -6)] : []));
  // Nobody turns the pages of a picture.
  const legend = { bottom: 0, type: "plain" };
  const grid = { left: 56, right: 16, top: 36, bottom: 76 };
  const byRound = draw(720, 280, {
    title: { text: `${id}, round by round`, textStyle: { fontSize: 13 } },
    legend,
    grid,
    xAxis: { type: "category", data: (rounds[0]?.[1] ?? []).map((_, round) => `round ${round + 1}`) },
    yAxis: { type: "log", logBase: 10 },
    series: rounds.map(([name, data]) => ({
      name,
      type: "line",
      data: data.map((value) => (value > 0 ? value : null)),
    })),
  });
  const byShare = draw(720, 360, {
    title: { text: `${id}, ms from the moment when the request was due`, textStyle: { fontSize: 13 } },
    legend,
    grid: { ...grid, bottom: 136 },
    xAxis: { type: "category", data: latencies, axisLabel: { interval: 0, rotate: 20, fontSize: 10 } },
    yAxis: { type: "log", logBase: 10, name: "ms" },
    series: ["p50", "p99", "p99.9"].map((part) => ({
      name: part,
      type: "bar",
      data: latencies.map((name) => figures[`${name} ${part}`]),
    })),
  });
  return [...(rounds.length > 0 ? [byRound] : []), ...(latencies.length > 0 ? [byShare] : [])];
}

function historyChart(runs: readonly Run[]): string {
  const ids = Object.keys(HEADLINES);
  return draw(720, 340, {
    title: {
      text: "Earlier runs: how much of each goal was reached, in percent",
      subtext: "P1 and P8 before 940a677 against a bare side that answered with errors: too high",
      textStyle: { fontSize: 13 },
    },
    legend: { bottom: 0, type: "plain" },
    grid: { left: 56, right: 16, top: 60, bottom: 72 },
    xAxis: { type: "category", data: runs.map(({ machine }) => `${machine.commit}\n${machine.at.slice(0, 10)}`) },
    yAxis: { type: "log", logBase: 10 },
    series: ids.map((id) => ({
      name: id,
      type: "line",
      connectNulls: true,
      data: runs.map(({ results }) => {
        const result = results.find((one) => one.id === id);
        return (result && reachedPercent(result)) ?? null;
      }),
    })),
  });
}

export const verdictOf = ({ reached, note }: Result): string =>
  reached === undefined ? `not compared (${note})` : reached ? "reached" : "NOT reached";

function page({ machine, results }: Run, charts: readonly string[]): string {
  const rows = results.map((result) => [result.id, result.what, result.goal, result.value, verdictOf(result)]);
  const row = (cells: readonly string[], cell: "td" | "th") =>
    `<tr>${cells.map((text) => `<${cell}>${escaped(text)}</${cell}>`).join("")}</tr>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Afara, measured</title>
<style>
body { max-width: 900px; margin: 32px auto; padding: 0 16px; font: 15px/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
figure { margin: 32px 0; overflow-x: auto; }
</style>
<h1>Afara, measured</h1>
<p>${escaped(`${machine.cores} cores of ${machine.processor}, Node ${machine.node}, commit ${machine.commit}, ${machine.at}`)}. Ratios count; README.md of this folder says how each figure is made.</p>
<table>
${row(["", "what", "goal", "measured", ""], "th")}
${rows.map((cells) => row(cells, "td")).join("\n")}
</table>
${charts.map((chart) => `<figure>${chart}</figure>`).join("\n")}
</html>
`;
}

/** Draws the run that is stored. */
export const readRun = (): Run => JSON.parse(readFileSync(RESULTS, "utf8")) as Run;
