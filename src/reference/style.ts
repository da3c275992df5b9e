import { readFileSync } from "node:fs";

const PORTAL = new URL("../../portal/src/", import.meta.url);

const SHEETS = ["text", "frame", "operation", "try", "search"];

/**
 * The one style sheet of the pages under `/docs`. Its colours are those of the portal, in dark pages too: by the choice that the
 * portal keeps, or else as the browser prefers.
 */
export function styleSheet(): string {
  const [light = "", dark = ""] = [...read("tokens.css").matchAll(/\{([^}]*)\}/g)].map(([, colours]) => colours);
  return `${fonts()}
:root {color-scheme: light;${light}}
@media (prefers-color-scheme: dark) {:root:not([data-theme="light"]) {color-scheme: dark;${dark}}}
:root[data-theme="dark"] {color-scheme: dark;${dark}}
@media print {:root:root[lang] {color-scheme: light;${light}}}
${SHEETS.map((sheet) => read(`reference/${sheet}.css`)).join("")}`;
}

const read = (path: string): string => readFileSync(new URL(path, PORTAL), "utf8");

/** As the portal declares them, at the address where these pages find them. */
const fonts = (): string =>
  [...read("base.css").matchAll(/@font-face \{[^}]*\}/g)]
    .map(([face]) => face.replaceAll("../made/fonts/", "/docs/fonts/"))
    .join("\n");
