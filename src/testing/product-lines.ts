import { globSync } from "node:fs";
import { join } from "node:path";
import type { ProductLine } from "../purchases/product-line.ts";

const SRC = join(import.meta.dirname, "..");

const isLine = (value: unknown): value is ProductLine =>
  typeof value === "object" && value !== null && "products" in value && "schemas" in value;

/** The line of every service that sells by purchase: what each `src/<service>/product-line.ts` exports. */
export const PRODUCT_LINES: readonly ProductLine[] = await Promise.all(
  globSync("*/product-line.ts", { cwd: SRC })
    .filter((path) => !path.startsWith("purchases"))
    .sort()
    .map(async (path) => {
      const exported: Record<string, unknown> = await import(join(SRC, path));
      const [line, ...others] = Object.values(exported).filter(isLine);
      if (!line || others.length > 0) throw new Error(`src/${path} has to export one line`);
      return line;
    }),
);
