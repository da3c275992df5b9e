import type { Profiler } from "node:inspector";
import { escaped } from "./markup.ts";

/** One function as it was called by those below it. */
interface Frame {
  readonly name: string;
  readonly kind: Kind;
  us: number;
  readonly callees: Map<string, Frame>;
}

type Kind = "ours" | "library" | "node" | "native";

/** Fill of each kind: dark letters are read on all of them. */
const FILLS: Readonly<Record<Kind, string>> = {
  ours: "#7cc6a4",
  library: "#e7c27d",
  node: "#9db8dd",
  native: "#c9c4bd",
};
const WORDS: Readonly<Record<Kind, string>> = {
  ours: "Afara",
  library: "libraries",
  node: "Node's own code",
  native: "native code and the collector",
};
const [WIDTH, ROW, TOP, FONT] = [1_200, 17, 46, 11];
/** Of a letter, and the narrowest frame that is drawn, in pixels. */
const [LETTER, NARROWEST] = [6.3, 1.5];
const OURS = /\/(src|bench)\//;

/** A flame graph of a CPU profile of V8, without the idle time: callers above, the widest callee on the left. */
export function flameGraph(profile: Profiler.Profile, title: string): string {
  const root = framesOf(profile);
  const boxes: string[] = [];
  let depthMax = 0;
  const draw = (frame: Frame, x: number, depth: number) => {
    const width = (frame.us / root.us) * WIDTH;
    if (width < NARROWEST) return;
    depthMax = Math.max(depthMax, depth);
    boxes.push(box(frame, { x, depth, width, share: frame.us / root.us }));
    let from = x;
    for (const callee of [...frame.callees.values()].sort((a, b) => b.us - a.us)) {
      draw(callee, from, depth + 1);
      from += (callee.us / root.us) * WIDTH;
    }
  };
  draw(root, 0, 0);
  const height = TOP + (depthMax + 1) * ROW + 6;
  const legend = (Object.keys(FILLS) as Kind[])
    .map(
      (kind, n) =>
        `<rect x="${6 + n * 200}" y="26" width="11" height="11" fill="${FILLS[kind]}"/><text x="${22 + n * 200}" y="36">${WORDS[kind]}</text>`,
    )
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="${FONT}" fill="#1b1b1b" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title><rect width="100%" height="100%" fill="#fff"/><text x="6" y="17" font-size="14" font-weight="600">${escaped(title)}</text>${legend}
${boxes.join("\n")}
</svg>
`;
}

function framesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callerOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const root: Frame = { name: "the gateway's main thread", kind: "node", us: 0, callees: new Map() };
  samples.forEach((id, n) => {
    const path: Profiler.ProfileNode[] = [];
    for (let at: number | undefined = id; at !== undefined; at = callerOf.get(at)) path.unshift(byId.get(at)!);
    const names = path.slice(1).map(({ callFrame }) => callFrame);
    // The profiler's own work is no part of the gateway.
    if (names.some(({ functionName, url }) => functionName === "(idle)" || url === "node:inspector")) return;
    const us = timeDeltas[n] ?? 0;
    let frame = root;
    frame.us += us;
    for (const { functionName, url, lineNumber } of names) {
      const key = `${functionName} ${url}:${lineNumber}`;
      let next = frame.callees.get(key);
      if (!next) {
        next = { name: nameOf(functionName, url), kind: kindOf(url), us: 0, callees: new Map() };
        frame.callees.set(key, next);
      }
      next.us += us;
      frame = next;
    }
  });
  return root;
}

const nameOf = (functionName: string, url: string): string => {
  const file = url.replace(/^.*\/node_modules\//, "").replace(/^.*?\/(?=src\/)/, "");
  return `${functionName || "(anonymous)"}${file ? ` ${file}` : ""}`;
};

function kindOf(url: string): Kind {
  if (url === "") return "native";
  if (url.startsWith("node:")) return "node";
  return url.includes("/node_modules/") || !OURS.test(url) ? "library" : "ours";
}

function box(
  { name, kind }: Frame,
  {
    x,
    depth,
    width,
    share,
  }: { readonly x: number; readonly depth: number; readonly width: number; readonly share: number },
): string {
  const y = TOP + depth * ROW;
  const letters = Math.floor((width - 6) / LETTER);
  const text =
    letters < 4
      ? ""
      : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(name.length > letters ? `${name.slice(0, letters - 1)}…` : name)}</text>`;
  return `<g><title>${escaped(name)}: ${(share * 100).toFixed(1)} %</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(width - 0.5, 0.5).toFixed(1)}" height="${ROW - 1}" fill="${FILLS[kind]}"/>${text}</g>`;
}
