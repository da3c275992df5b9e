import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { CHROMIUM, type PortalBrowser, startPortalBrowser } from "./portal-browser.ts";
import { NOBODY, personWith, sessionOf } from "./portal-person.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";

let portal: PortalBrowser;

before(async () => {
  if (!skip) portal = await startPortalBrowser();
});

after(async () => {
  await portal?.close();
});

const KILOBYTE = 1_000;
/** Bytes of a first load, as they are transferred. */
const MOST = { signIn: 200 * KILOBYTE, other: 350 * KILOBYTE };
const FIRST_LOADS = [
  { path: "/portal/sign-in", text: "Forgot your password?", session: NOBODY, most: MOST.signIn },
  { path: "/portal/sign-up", text: "Ten characters", session: NOBODY, most: MOST.signIn },
  { path: "/portal", text: "Today by service", session: sessionOf("owner"), most: MOST.other },
  { path: "/portal/services", text: "Cable TV", session: sessionOf("owner"), most: MOST.other },
  { path: "/portal/services/sms", text: "GSM-7", session: sessionOf("owner"), most: MOST.other },
  { path: "/portal/services/cable", text: "whose it is", session: sessionOf("owner"), most: MOST.other },
  { path: "/portal/plans", text: "Cable TV", session: sessionOf("owner"), most: MOST.other },
  { path: "/portal/keys", text: "revoked", session: sessionOf("owner"), most: MOST.other },
  { path: "/portal/orders", text: "SMS", session: sessionOf("owner"), most: MOST.other },
];

interface Load {
  readonly bytes: number;
  readonly requests: number;
  readonly blockedMs: number;
}

/** Files of the pages alone: what the API answers is a matter of the account. */
const MEASURE = `(() => {
  const files = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
    .filter(({ name }) => !new URL(name).pathname.startsWith("/portal/api/"))
    .filter(({ name }) => new URL(name).pathname.startsWith("/portal"));
  return {
    bytes: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    requests: files.length,
    blockedMs: Math.round(window.longTasks.reduce((sum, ms) => sum + Math.max(0, ms - 50), 0)),
  };
})()`;
const WATCH = `window.longTasks = [];
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longTasks.push(duration); })
  .observe({ type: "longtask", buffered: true });`;

for (const { path, text, session, most } of FIRST_LOADS)
  test(`the first load of ${path} takes ${most / KILOBYTE} kB at most`, { skip }, async (t) => {
    await portal.gateway.call("POST", "/sms/send", { to: "08031234567", message: "Hello" });
    const { page } = await portal.open(path, { instead: personWith(session), script: WATCH });
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    await page.evaluate("document.fonts.ready");
    const { bytes, requests, blockedMs } = await page.evaluate<Load>(MEASURE);
    t.diagnostic(`${path}: ${(bytes / KILOBYTE).toFixed(1)} kB in ${requests} requests, ${blockedMs} ms blocked`);
    assert.ok(bytes > 50 * KILOBYTE, `only ${bytes} bytes were counted`);
    assert.ok(bytes <= most, `${bytes} bytes`);
    await page.close();
  });

test("no page has the path of an endpoint, so a reload never asks the API", { skip }, async () => {
  const { body } = await portal.gateway.call<{ paths: object }>("GET", "/openapi.json");
  const pages = Object.keys(body.paths).filter((path) => path === "/portal" || /^\/portal\/(?!api\/)/.test(path));
  assert.deepEqual(pages, []);
});
