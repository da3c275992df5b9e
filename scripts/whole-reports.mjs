// Loaded into each test file's process: what it reports is written at once. The runner ends these processes by force, and with
// them went whatever was still on its way through the pipe, dozens of tests' reports on a busy machine.
process.stdout._handle?.setBlocking?.(true);
