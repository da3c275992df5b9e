import { join } from "node:path";
import type { Http } from "../http/edge.ts";
import { pageRoutes } from "./pages.routes.ts";

/** Where scripts/portal.mjs leaves what it builds. */
const DIST_DIR = join(import.meta.dirname, "..", "..", "portal", "dist");

/** The pages for people at `/portal`. */
export function servePortal(http: Http, { distDir = DIST_DIR }: { readonly distDir?: string } = {}): void {
  pageRoutes(http, distDir);
}
