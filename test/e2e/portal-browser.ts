import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page, type Route } from "playwright-core";
import { makeDataDir } from "../../src/testing/data-dir.ts";
import { type Gateway, startGateway } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

export const CHROMIUM = "/usr/bin/chromium";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"].concat([
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]);
/** A machine may be very busy: no test says how long something takes. */
const PATIENCE_MS = 120_000;

/** What a request of a page is answered instead of by the gateway. */
export type Instead = (route: Route) => Promise<void> | undefined;

export interface Look {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly instead?: Instead;
  /** Run in the page before anything of its own. */
  readonly script?: string;
  /** Of a session. */
  readonly cookie?: { readonly name: string; readonly value: string };
}

export interface Opened {
  readonly page: Page;
  readonly requested: string[];
  /** Addresses whose answer has begun. */
  readonly answered: string[];
  readonly complaints: string[];
}

/** The pages on a running gateway with its simulators, in Debian's Chromium. */
export interface PortalBrowser {
  readonly gateway: Gateway;
  open(path: string, look?: Look): Promise<Opened>;
  close(): Promise<void>;
}

export async function startPortalBrowser(): Promise<PortalBrowser> {
  const data = await makeDataDir();
  const gateway = await startGateway({ dataDir: data.dir });
  const browser = await openBrowser(gateway);
  return {
    ...browser,
    async close() {
      await browser.close();
      await gateway.stop();
      await data.remove();
    },
  };
}

/** A browser on a gateway that runs already, and goes on when it is closed. */
export async function openBrowser(gateway: Gateway): Promise<PortalBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "afara-chromium-"));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: ARGS,
    viewport: { width: 1280, height: 900 },
    timezoneId: "Africa/Lagos",
    acceptDownloads: true,
    timeout: PATIENCE_MS,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  context.setDefaultNavigationTimeout(PATIENCE_MS);
  return {
    gateway,
    async open(path, { theme = "light", width = 1280, instead, script, cookie } = {}) {
      if (cookie) await context.addCookies([{ ...cookie, url: gateway.base }]);
      const page = await context.newPage();
      await look(page, theme, width);
      const requested: string[] = [];
      const answered: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => requested.push(request.url()));
      page.on("response", (response) => answered.push(response.url()));
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      if (script) await page.addInitScript(script);
      await page.route("**/*", (route) => instead?.(route) ?? asCaller(route, gateway.key));
      await page.goto(`${gateway.base}${path}`);
      return { page, requested, answered, complaints };
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** The path of the link that signs the owner of a local gateway in. It is printed when the gateway is ready already. */
export const signInPath = (gateway: Gateway): Promise<string> =>
  waitFor("the link of the first sign-in", () => /Portal: https?:\/\/[^/]+(\S+)\s/.exec(gateway.output())?.[1]);

/** Shows the page in a theme and a width, a phone's or a desk's. */
export async function look(page: Page, theme: "light" | "dark", width: number): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: width < 768 ? 780 : 900 });
  await atRest(page);
}

/** A frame has been painted, and what that left to do is done: what React has shown has its handlers only then. */
export const atRest = (page: Page): Promise<void> =>
  page.evaluate<void>(
    `new Promise((done) => requestAnimationFrame(() => scheduler.postTask(done, { priority: "background" })))`,
  );

/** Calls of the public API go out with a key of the account: who may do what is no matter of these pages. */
function asCaller(route: Route, key: string): Promise<void> {
  const request = route.request();
  if (!["fetch", "xhr"].includes(request.resourceType())) return route.continue();
  return route.continue({ url: asPublic(request.url()), headers: { ...request.headers(), "x-api-key": key } });
}

/** A key may list orders, but not find them as a person does. */
function asPublic(text: string): string {
  const url = new URL(text);
  if (url.pathname !== "/portal/api/orders") return text;
  url.pathname = "/orders";
  for (const name of ["find", "kind"]) url.searchParams.delete(name);
  return url.href;
}

export const json = (route: Route, body: unknown, status = 200): Promise<void> =>
  route.fulfill({
    status,
    contentType: status < 400 ? "application/json" : "application/problem+json",
    body: JSON.stringify(body),
  });

/** What axe-core finds, a line each. */
export async function faultsIn(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + " " + node.failureSummary).join(" | ")))`,
  );
}

/** Pixels of the page that are beyond the right edge. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.body.clientWidth");

const STEPS_MAX = 40;

/** The name of what has the focus, as a person would call it. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  return at.getAttribute("aria-label") ?? (at.labels?.[0]?.textContent || at.textContent).trim();
})()`;

/** Presses Tab until the focus is there. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const at = await page.evaluate<string>(FOCUSED);
    if (at === name) return;
    passed.push(at.slice(0, 40));
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${name}, but to ${passed.join(", ")}`);
}

/** AFARA_SHOTS_DIR: where the pages are kept as pictures, for people who look at them. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.AFARA_SHOTS_DIR;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
