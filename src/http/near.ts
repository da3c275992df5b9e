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

/**
 * Longer words are not compared: the work grows with the product of the lengths, and a stranger chooses one of them.
 */
const COMPARED_LENGTH_MAX = 100;

/**
 * Up to three known words that the given one may have meant, nearest first. A third of a word may be wrong, and one
 * letter always.
 */
export function nearest(given: string, known: readonly string[]): string[] {
  if (given.length > COMPARED_LENGTH_MAX) return [];
  const word = given.toLowerCase();
  return known
    .map((name) => ({ name, distance: editDistance(word, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}
