import type { Source } from "./sources.ts";

/**
 * Files that import each other in a circle, types included: each circle as the paths that lead round it. Who has to read one of them
 * has to read all.
 */
export function circlesIn(sources: readonly Source[]): readonly (readonly string[])[] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const circles: (readonly string[])[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const begin = trail.indexOf(path);
    if (begin >= 0) circles.push([...trail.slice(begin), path]);
    if (begin >= 0 || done.has(path)) return;
    for (const target of importsOf.get(path) ?? []) if (importsOf.has(target)) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) walk(path, []);
  return circles;
}
