/** What of a text no text may have (PostgreSQL's has no U+0000, UTF-8 no lone surrogate), in words; undefined when it has neither. */
export function badCharacter(text: string): string | undefined {
  if (text.includes("\0")) return "U+0000";
  return text.isWellFormed() ? undefined : "half of a surrogate pair";
}
