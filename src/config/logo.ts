import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isObject, type PlacedFault } from "../kernel/place.ts";
import { LOGO_TYPES, type LogoType, type SellerLogo } from "../purchases/seller.ts";

const LOGO_MAX_BYTES = 512_000;
const DRAWN_WITHIN_MS = 20_000;

/**
 * The picture that `seller.logo` names, or what is wrong with it; undefined where none is named. It is drawn once on a receipt that
 * nobody gets: a file that begins as a picture and can't be drawn would break every PDF. Paths begin at `folder`.
 */
export async function readLogo(config: unknown, folder: string): Promise<SellerLogo | PlacedFault | undefined> {
  const seller = isObject(config) ? config.seller : undefined;
  const named = isObject(seller) ? seller.logo : undefined;
  if (typeof named !== "string" || named.trim() === "") return undefined;
  const path = resolve(folder, named);
  const fault = (detail: string): PlacedFault => ({ path: ["seller", "logo"], detail: `${path} ${detail}` });
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return fault("is not a file; name a PNG or JPEG.");
    if (stat.size > LOGO_MAX_BYTES)
      return fault(`has ${stat.size} bytes; a logo has ${LOGO_MAX_BYTES} (512 kB) at most, so make it smaller.`);
    const bytes = readFileSync(path);
    const { fileTypeFromBuffer } = await import("file-type");
    const type = (await fileTypeFromBuffer(bytes))?.mime;
    if (!isLogoType(type))
      return fault(
        `is ${type ?? "no picture that is known"}; save the logo as PNG or JPEG, whatever the file's name ends in.`,
      );
    const logo = { type, bytes };
    return (await isDrawn(logo))
      ? logo
      : fault(`is damaged, and can't be drawn; save it as ${type === "image/png" ? "PNG" : "JPEG"} again.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      return fault("does not exist; paths begin at the folder of this file.");
    return fault(`can't be read by this user (${code}); mend its rights.`);
  }
}

const isLogoType = (type: string | undefined): type is LogoType =>
  (LOGO_TYPES as readonly (string | undefined)[]).includes(type);

/** In the thread that writes receipts: some damage breaks the thread that it is read in. */
async function isDrawn(logo: SellerLogo): Promise<boolean> {
  const { makeReceiptPrinter } = await import("../purchases/receipt-printer.ts");
  const printer = makeReceiptPrinter();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((settle) => {
    timer = setTimeout(() => settle(false), DRAWN_WITHIN_MS); // it also keeps the process alive, which the thread does not
  });
  try {
    return (await Promise.race([printer.print({ ...BLANK, seller: { name: "-", logo } }), late])) !== false;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    await printer.close();
  }
}

const BLANK = {
  title: "-",
  subtitle: "-",
  number: "-",
  issuedAt: "2026-01-01T00:00:00Z",
  testNote: undefined,
  tokens: [],
  subject: [],
  money: [],
  tax: [],
  footer: [],
} as const;
