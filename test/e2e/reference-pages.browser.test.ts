import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Route } from "playwright-core";
import {
  CHROMIUM,
  faultsIn,
  look,
  overflowOf,
  type PortalBrowser,
  shoot,
  startPortalBrowser,
} from "./portal-browser.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";

let portal: PortalBrowser;

before(async () => {
  if (!skip) portal = await startPortalBrowser();
});

after(async () => {
  await portal?.close();
});

const PAGES = [
  "/docs",
  "/docs/api/sms",
  "/docs/api/cable-tv",
  "/docs/api/webhooks",
  "/docs/api/problems",
  "/docs/errors",
  "/docs/errors/rate_limited",
  "/docs/errors/failures",
  "/docs/guides",
  "/docs/guides/test-mode",
  "/docs/guides/first-sms",
  "/docs/operations/running",
  "/docs/changelog",
  "/docs/adr",
  "/nothing/here", // a page too, with status 404
];
const LOOKS = [
  { theme: "light", width: 1440 },
  { theme: "dark", width: 360 },
] as const;

for (const path of PAGES)
  test(`${path} is read in both themes, wide and narrow, without a fault, a complaint or a request elsewhere`, {
    skip,
  }, async () => {
    const { page, requested, complaints } = await portal.open(path, LOOKS[0]);
    await page.evaluate("document.fonts.ready");
    for (const { theme, width } of LOOKS) {
      await look(page, theme, width);
      await shoot(page, `${path.slice(1).replaceAll("/", "-")}-${theme}-${width}`);
      assert.deepEqual(await faultsIn(page), []);
      assert.equal(await overflowOf(page), 0);
    }
    assert.deepEqual(
      requested.filter((url) => !url.startsWith(`${portal.gateway.base}/`)),
      [],
    );
    const isMissing = path === "/nothing/here"; // which the browser says too
    assert.deepEqual(isMissing ? complaints.filter((text) => !text.includes("404")) : complaints, []);
    await page.close();
  });

test("what is folded has no fault either when it is opened", { skip }, async () => {
  const { page, complaints } = await portal.open("/docs/api/electricity");
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  await page
    .getByLabel("Account")
    .or(page.getByRole("link", { name: "Sign in" }))
    .first()
    .waitFor();
  assert.deepEqual(await faultsIn(page), []);
  assert.deepEqual(complaints, []);
  await page.close();
});

const KILOBYTE = 1_000;
const BYTES = `[...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

for (const path of ["/docs", "/docs/api/sms", "/docs/api/chat", "/docs/guides/first-sms", "/docs/errors/failures"])
  test(`the first load of ${path} takes 150 kB at most`, { skip }, async (t) => {
    const { page } = await portal.open(path);
    await page.evaluate("document.fonts.ready");
    const bytes = await page.evaluate<number>(BYTES);
    t.diagnostic(`${path}: ${(bytes / KILOBYTE).toFixed(1)} kB`);
    assert.ok(bytes > 20 * KILOBYTE, `only ${bytes} bytes were counted`);
    assert.ok(bytes <= 150 * KILOBYTE, `${bytes} bytes`);
    await page.close();
  });

test("a page is read whole without its script", { skip }, async () => {
  const instead = (route: Route) => (route.request().url().endsWith("/docs/reference.js") ? route.abort() : undefined);
  const { page } = await portal.open("/docs/api/sms", { instead, width: 360 });
  await page.getByRole("heading", { name: "Send one SMS" }).waitFor();
  const first = page.locator(".code").first();
  await first.getByText("Python", { exact: true }).click();
  assert.match((await first.locator("pre:visible").textContent()) ?? "", /^import requests/);
  await page.getByRole("link", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "All pages" }).getByRole("link", { name: "Webhooks" }).first().click();
  await page.waitForURL("**/docs/api/webhooks");
  const useless = page.locator("#search:visible, .try:visible");
  assert.deepEqual(await useless.evaluateAll((found) => found.map(String)), []);
  await page.close();
});
