// Loaded by a process of several test files, each of which becomes a suite: what all of them load is loaded once. Plain
// JavaScript, as all that starts the check.
import { suite } from "node:test";
import { pathToFileURL } from "node:url";

/** `files` are named as they are to be reported, with their paths. All are loaded first, then their tests run in order. */
export function runFiles(files) {
  for (const { name, path } of files) suite(name, async () => void (await import(pathToFileURL(path))));
}
