const SIZE_MAX = 200;

/** A page of a list as the vendor's framework writes it. Pages are counted from 1. */
export function pageOf<Item>(all: readonly Item[], query: URLSearchParams, usualSize: number) {
  const size = Math.min(Math.max(Number(query.get("size") ?? usualSize) || usualSize, 1), SIZE_MAX);
  const number = Math.max(Number(query.get("page") ?? 1) || 1, 1);
  const content = all.slice((number - 1) * size, number * size);
  return {
    content,
    totalElements: all.length,
    totalPages: Math.ceil(all.length / size),
    number,
    size,
    numberOfElements: content.length,
    first: number === 1,
    last: number * size >= all.length,
    empty: content.length === 0,
  };
}
