import type { ChildProcess } from "node:child_process";

const ends = new Set<() => void>();
// The last first: a program ends before the directory that it writes to is removed.
process.once("exit", () => {
  for (const end of [...ends].reverse()) end();
});
// The runner ends a file that hangs with SIGTERM, Ctrl-C ends it with SIGINT: both leave no less behind than a file that passes.
for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15 }))
  process.once(signal, () => process.exit(128 + number));

/**
 * What must be undone when this process ends, even when a test failed half-way. `end` must not wait for anything. Gives the
 * function that forgets it, for when it was undone in order.
 */
export function atEndOfFile(end: () => void): () => void {
  ends.add(end);
  return () => void ends.delete(end);
}

/** A program that a test started must not outlive its test file, even when the test failed half-way. */
export function endWithFile(child: ChildProcess, { group = false } = {}): void {
  const { pid } = child;
  if (pid === undefined) return;
  child.once(
    "exit",
    atEndOfFile(() => void process.kill(group ? -pid : pid, "SIGKILL")),
  );
}
