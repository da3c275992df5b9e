/** A place that the search knows, as `/docs/search.json` lists it. */
export interface Place {
  readonly title: string;
  readonly url: string;
  /** Its endpoint, page or code. */
  readonly where: string;
  readonly text: string;
}

const RESULTS_MAX = 12;

/** The places that have every word of the query, the best first. */
export function find(places: readonly Place[], query: string): readonly Place[] {
  const words = plain(query).split(" ").filter(Boolean);
  if (words.length === 0) return [];
  return places
    .map((place, order) => ({ place, order, points: pointsOf(place, words) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points || a.order - b.order)
    .slice(0, RESULTS_MAX)
    .map(({ place }) => place);
}

/** Zero if a word is missing. A word in the title counts most, and the beginning of one more than its middle. */
function pointsOf({ title, where, text }: Place, words: readonly string[]): number {
  const fields = [
    [plain(title), 8],
    [plain(where), 4],
    [plain(text), 1],
  ] as const;
  let points = 0;
  for (const word of words) {
    const found = fields.map(([field, weight]) => (isBegun(field, word) ? 2 : field.includes(word) ? 1 : 0) * weight);
    const best = Math.max(...found);
    if (best === 0) return 0;
    points += best;
  }
  return plain(title) === words.join(" ") ? points + 8 : points;
}

const isBegun = (field: string, word: string): boolean => ` ${field}`.includes(` ${word}`);

/** Letters and digits in small, each other character a space. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
