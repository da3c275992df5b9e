import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where a gateway runs while pages are worked on: `npx vite` serves them and asks it for all else. */
const GATEWAY = "http://localhost:8080";

export default defineConfig({
  base: "/portal/",
  plugins: [react()],
  build: {
    outDir: "made/site",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the policy of the pages lets nothing come from `data:`
    reportCompressedSize: false,
  },
  server: { proxy: { "^/(?!portal/?$|portal/(?!api/))": GATEWAY } },
});
