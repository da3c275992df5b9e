/**
 * The offered media type that the caller's `Accept` prefers (RFC 9110 section 12.5.1). Ties go to the most specific range, then to
 * the first named, then to the first offered, which is also the default without the header. Undefined if none is acceptable.
 * Parameters other than `q` are ignored.
 */
export function preferredType<const Offered extends string>(
  accept: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  if (accept === undefined || accept.trim() === "") return offered[0];
  const ranges = accept.toLowerCase().split(",").map(readRange);
  const [best] = offered
    .map((type) => ({ type, ...rankOf(type, ranges) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.wildcards - b.wildcards || a.position - b.position);
  return best?.type;
}

interface Range {
  readonly type: string;
  /** 0 to 1. */
  readonly quality: number;
}

function readRange(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  return { type, quality: weight !== undefined && /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 1 };
}

/** The most specific range decides: `text/html;q=0` with `*` accepts everything but HTML. */
function rankOf(type: string, ranges: readonly Range[]) {
  for (const [wildcards, form] of [type, `${type.split("/")[0]}/*`, "*/*"].entries()) {
    const position = ranges.findIndex((candidate) => candidate.type === form);
    if (position >= 0) return { quality: ranges[position]!.quality, wildcards, position };
  }
  return { quality: 0, wildcards: 0, position: 0 };
}
