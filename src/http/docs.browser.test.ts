import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { makeRig } from "../testing/http-rig.ts";

const CHROMIUM = "/usr/bin/chromium";
const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let origin = "";
let browser: BrowserContext | undefined;
let profile = "";
let stop = async () => {};

before(async () => {
  if (skip) return;
  const { app } = await makeRig();
  origin = await app.listen({ host: "127.0.0.1", port: 0 });
  profile = mkdtempSync(join(tmpdir(), "afara-chromium-"));
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"].concat([
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ]),
    viewport: { width: 1280, height: 900 },
  });
  stop = () => app.close();
});

after(async () => {
  await browser?.close();
  await stop();
  if (profile) rmSync(profile, { recursive: true, force: true });
});

/** Opens a page and notes everything it asks for and complains about. */
async function open(
  path: string,
  look: { readonly colorScheme?: "light" | "dark"; readonly width?: number } = {},
): Promise<{ page: Page; requested: string[]; complaints: string[] }> {
  assert.ok(browser);
  const page = await browser.newPage();
  await page.emulateMedia({ colorScheme: look.colorScheme ?? "light" });
  await page.setViewportSize({ width: look.width ?? 1280, height: 900 });
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${origin}${path}`, { waitUntil: "networkidle" });
  return { page, requested, complaints };
}

const elsewhere = (requested: readonly string[]): string[] =>
  requested.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("data:"));

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map((node) => node.html).join(" | ")))`,
  );
}

/** What axe finds in the markup of Swagger UI 5 itself, which its options can't mend. Anything else is ours. */
const SWAGGER_UI_FAULTS = new Set(["color-contrast", "heading-order", "nested-interactive", "region", "select-name"]);

test("the reference page shows every operation and asks no other server for anything", { skip }, async () => {
  const { page, requested, complaints } = await open("/docs");
  await page.getByText("/sms/send").first().waitFor();
  await page.locator(".opblock-summary-control").first().click();
  await page.locator(".opblock-body").first().waitFor();
  assert.deepEqual(elsewhere(requested), []);
  assert.deepEqual(complaints, []);
  assert.deepEqual(
    (await violations(page)).filter((fault) => !SWAGGER_UI_FAULTS.has(fault.split(":")[0] ?? "")),
    [],
  );
  await page.close();
});

const PAGES = [
  "/docs/errors",
  "/docs/errors/rate_limited",
  "/docs/errors/failures",
  "/docs/guides",
  "/docs/guides/test-mode",
  "/docs/guides/first-sms",
  "/docs/operations/running",
  "/docs/readme",
  "/nothing/here", // a page too, with status 404
];
const LOOKS = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
] as const;

for (const path of PAGES)
  for (const { colorScheme, width } of LOOKS) {
    const how = `${colorScheme} at ${width} pixels, without an accessibility fault, a foreign request or a complaint`;
    test(`the page ${path} is read ${how}`, { skip }, async () => {
      const { page, requested, complaints } = await open(path, { colorScheme, width });
      assert.deepEqual(elsewhere(requested), []);
      const isMissing = path === "/nothing/here"; // which the browser says too
      assert.deepEqual(isMissing ? complaints.filter((text) => !text.includes("404")) : complaints, []);
      assert.deepEqual(await violations(page), []);
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      assert.ok(wide <= 0, `${wide} pixels beyond the right edge`);
      await page.close();
    });
  }

test("a reader gets from the reference to a guide, and from guide to guide, by links", { skip }, async () => {
  const { page: reference } = await open("/docs");
  const [page] = await Promise.all([
    reference.waitForEvent("popup"),
    reference.getByRole("link", { name: "The guides" }).click(),
  ]);
  await page.getByRole("link", { name: "Your first SMS" }).click();
  await page.getByRole("link", { name: "simulator's page" }).click();
  assert.equal(new URL(page.url()).pathname, "/docs/guides/smsc-simulator");
  await page.goBack();
  await page.getByRole("link", { name: "The list of failures" }).click();
  assert.equal(new URL(page.url()).pathname, "/docs/errors/failures");
  await Promise.all([page.close(), reference.close()]);
});
