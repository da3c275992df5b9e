import { join } from "node:path";
import type { Http } from "../http/edge.ts";
import { pageRoutes } from "./pages.routes.ts";
import { type ViewsRoutesOptions, viewsRoutes } from "./views.routes.ts";

/** Where scripts/portal.mjs leaves what it builds. */
const DIST_DIR = join(import.meta.dirname, "..", "..", "portal", "dist");

export interface PortalParts extends ViewsRoutesOptions {
  readonly distDir?: string;
}

/** The pages for people at `/portal`, and what they keep of how they are looked at. */
export const makePortalPart = ({ distDir = DIST_DIR, ...parts }: PortalParts) => ({
  serve(http: Http): void {
    pageRoutes(http, distDir);
    viewsRoutes(http, parts);
  },
});
