import type { ChildProcess } from "node:child_process";

const running = new Set<() => void>();
process.once("exit", () => {
  for (const end of running) end();
});

/** A program that a test started must not outlive its test file, even when the test failed half-way. */
export function endWithFile(child: ChildProcess, { group = false } = {}): void {
  const { pid } = child;
  if (pid === undefined) return;
  const end = () => void process.kill(group ? -pid : pid, "SIGKILL");
  running.add(end);
  child.once("exit", () => running.delete(end));
}
