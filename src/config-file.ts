/** The path by which operators' `afara.config.ts` import `defineConfig`. It stays here, wherever the code moves. */
export { type ConfigFile, defineConfig } from "./config/operator-file.ts";
