/**
 * Which of the media types on offer the caller likes best by its `Accept` (RFC 9110 section 12.5.1); the first of equals, and of
 * all when it says nothing. Undefined when it takes none of them. Parameters other than `q` are not looked at.
 */
export function preferredType<const Offered extends string>(
  accept: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  if (accept === undefined || accept.trim() === "") return offered[0];
  const ranges = accept.toLowerCase().split(",").map(readRange);
  let best: { readonly type: Offered; readonly quality: number } | undefined;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
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

/** The most exact range decides: `text/html;q=0` beside a range for all takes everything but HTML. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const form of [type, `${type.split("/")[0]}/*`, "*/*"]) {
    const range = ranges.find((candidate) => candidate.type === form);
    if (range) return range.quality;
  }
  return 0;
}
