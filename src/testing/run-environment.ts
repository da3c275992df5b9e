/**
 * What a program that a test starts keeps of the test's own environment, where all else is to be as on a machine of its own: the
 * directory for temporary files, by which `scripts/leftovers.mjs` knows the run's processes, and the compiled code of others. No
 * gateway of a test takes the operator's port, of which there is one on each machine.
 */
export const PLACE_OF_RUN: Readonly<Record<string, string>> = Object.fromEntries([
  ["AFARA_ADMIN_PORT", "off"],
  ...["PATH", "TMPDIR", "NODE_COMPILE_CACHE"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
]);
