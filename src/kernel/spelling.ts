/** Steps (insert, delete, replace, swap neighbours) from one word to the other; Optimal String Alignment. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) best = Math.min(best, beforeLast[column - 2]! + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}

/** A third of a word may be wrong, and one letter always. */
const stepsAllowed = (word: string): number => Math.max(1, Math.floor(word.length / 3));

/**
 * Up to three known words that the given one may have meant, nearest first. The work grows with the product of the
 * lengths, and a stranger chooses one of them: a word that is too long or too short by more than may be wrong is not
 * compared.
 */
export function nearest(given: string, known: readonly string[]): string[] {
  const couldMean = (name: string) => Math.abs(name.length - given.length) <= stepsAllowed(name);
  return known
    .filter(couldMean)
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= stepsAllowed(name))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}
