/**
 * The text without the characters at its ends that `edge` matches. By hand: a pattern for both ends takes quadratic time on what
 * stands between them, and strangers choose the text.
 */
export function trimEnds(text: string, edge: RegExp): string {
  let [start, end] = [0, text.length];
  while (start < end && edge.test(text[start] ?? "")) start += 1;
  while (end > start && edge.test(text[end - 1] ?? "")) end -= 1;
  return text.slice(start, end);
}
