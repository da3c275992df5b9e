// `npm start` loads this first: what Node compiles is kept, so that the next start is a second shorter (ADR 32).
import { homedir } from "node:os";
import { join } from "node:path";
import { keepCompiled } from "../src/cli/compile-cache.ts";

keepCompiled(join(import.meta.dirname, ".."), homedir(), process.getuid?.());
