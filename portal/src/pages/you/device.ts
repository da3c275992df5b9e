/** In the order in which they are looked for: one browser names others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg/, "Edge"],
  [/OPR|Opera/, "Opera"],
  [/SamsungBrowser/, "Samsung Internet"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Chrom|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
];

const firstIn = (text: string, names: typeof BROWSERS): string | undefined =>
  names.find(([sign]) => sign.test(text))?.[1];

/** "Chrome on Android", from what a browser says of itself. */
export function deviceOf(userAgent: string | null): string {
  const [browser, system] = [firstIn(userAgent ?? "", BROWSERS), firstIn(userAgent ?? "", SYSTEMS)];
  return [browser ?? "A browser", system && `on ${system}`].filter(Boolean).join(" ");
}
