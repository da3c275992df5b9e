// Builds the portal's pages into `dist`: fonts cut to what is written here, Vite's bundles, and each file compressed once, at the
// highest level. Run by scripts/portal.mjs under the pinned Node.
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import subsetFont from "subset-font";
import { build } from "vite";

const folder = import.meta.dirname;
const fontFile = (path) => createRequire(import.meta.url).resolve(`@fontsource-variable/${path}`);
const letters = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

const LATIN = [...letters(0x20, 0x7e), ...letters(0xa0, 0xff), ..."–—‘’“”•…←↑→↓−"].join("");
/** The Naira's sign, and the letters of names in Yoruba, Igbo and Hausa. */
const NIGERIAN = "₦ẸẹỌọṢṣỊịỤụṄṅƁɓƊɗƘƙƳƴ";
/** Weights that no page uses are left away. */
const AXES = { variationAxes: { wght: { min: 400, max: 700 } }, targetFormat: "woff2" };
const FONTS = {
  inter: ["inter/files/inter-latin-wght-normal.woff2", LATIN],
  "inter-nigerian": ["inter/files/inter-latin-ext-wght-normal.woff2", NIGERIAN],
  mono: ["jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2", LATIN],
};

async function makeFonts() {
  await mkdir(join(folder, "made", "fonts"), { recursive: true });
  for (const [name, [path, text]] of Object.entries(FONTS)) {
    const font = await subsetFont(await readFile(fontFile(path)), text, AXES);
    await writeFile(join(folder, "made", "fonts", `${name}.woff2`), font);
  }
}

const COMPRESSED = new Set([".html", ".js", ".css", ".svg"]);

async function compressAll(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSED.has(extname(entry.name)));
  const compress = async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(text, { params }));
    await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
  };
  await Promise.all(files.map(compress));
}

/** The script of the pages under `/docs`, which the gateway serves at a name that stays. */
const buildReference = () =>
  build({
    root: folder,
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: "made/site",
      emptyOutDir: false,
      lib: { entry: "src/reference/reference.ts", formats: ["iife"], name: "afara", fileName: () => "reference.js" },
    },
  });

const site = join(folder, "made", "site");
const dist = join(folder, "dist");
await makeFonts();
await build({ root: folder, logLevel: "warn" });
await buildReference();
await cp(join(folder, "made", "fonts"), join(site, "fonts"), { recursive: true });
await compressAll(site);
await rm(dist, { recursive: true, force: true });
await rename(site, dist); // whole or not at all
