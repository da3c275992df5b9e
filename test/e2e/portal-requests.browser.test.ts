import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import {
  CHROMIUM,
  faultsIn,
  type Instead,
  overflowOf,
  type PortalBrowser,
  shoot,
  signInPath,
  startPortalBrowser,
} from "./portal-browser.ts";
import { at, either } from "./portal-person.ts";
import type { Problem } from "./rig.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";

let portal: PortalBrowser;

/** Every request reaches the gateway as the page sends it: with its session, and without a key. */
const asItIs: Instead = (route) => route.continue();
const BROKEN = {
  status: 500,
  code: "internal_error",
  detail: "Something went wrong on our side.",
  request_id: "req_1",
};

before(async () => {
  if (skip) return;
  portal = await startPortalBrowser();
  const { page } = await portal.open(await signInPath(portal.gateway), { instead: asItIs });
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.close();
});

after(async () => {
  await portal?.close();
});

const refuse = async (to: string): Promise<Problem> => {
  const body = { to, message: "Hello", reference: `to ${to}` };
  const { status, body: problem } = await portal.gateway.call<Problem>("POST", "/sms/send", body);
  assert.equal(status, 422);
  return problem;
};

/** The row's button. The log is written a second after the answer: what came too late for the page waits to be asked for. */
async function rowOf(page: Page, name: RegExp): Promise<Locator> {
  const row = page.getByRole("button", { name });
  const show = page.getByRole("button", { name: /^Show \d+ new$/ });
  await row.or(show).first().waitFor();
  if (!(await row.isVisible())) await show.click();
  await row.waitFor();
  return row;
}

async function isFine(page: Page, name: string): Promise<void> {
  await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))");
  await shoot(page, name);
  assert.deepEqual(await faultsIn(page), []);
  assert.ok((await overflowOf(page)) <= 0, `${name} fits`);
}

test("a refused request is found by the id of its problem, with what was sent, answered and how to mend it", {
  skip,
}, async () => {
  const problem = await refuse("12");
  const { page, complaints } = await portal.open("/portal/requests", { instead: asItIs });
  await rowOf(page, new RegExp(problem.request_id));
  await isFine(page, "requests-light-1280");
  await page.getByLabel("Find by request id").fill(problem.request_id);
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog");
  await drawer.getByText('"message": "Hello"').waitFor();
  await drawer.getByText(`"request_id": "${problem.request_id}"`).waitFor();
  const mend = drawer.getByRole("link", { name: problem.code });
  assert.equal(await mend.getAttribute("href"), `/docs/errors/${problem.code}`);
  await isFine(page, "request-light-1280");
  await page.waitForURL((url) => url.searchParams.get("request") === problem.request_id);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("requests that come while somebody reads are announced, and shown when they ask for them", { skip }, async () => {
  const { page } = await portal.open("/portal/requests?status=4xx", { instead: asItIs });
  await page
    .getByRole("button", { name: /^Open POST/ })
    .first()
    .waitFor();
  const before = await page.getByRole("button", { name: /^Open/ }).count();
  const problem = await refuse("13");
  const show = page.getByRole("button", { name: "Show 1 new" });
  await show.waitFor();
  assert.equal(await page.getByRole("button", { name: /^Open/ }).count(), before);
  await show.click();
  await page.getByRole("button", { name: new RegExp(problem.request_id) }).waitFor();
  await page.close();
});

test("an order's requests are led to from its id, and lead to the order", { skip }, async () => {
  const sent = await portal.gateway.call<{ id: string }>("POST", "/sms/send", { to: "08031234567", message: "Paid" });
  const { page } = await portal.open(`/portal/requests?order=${sent.body.id}`, {
    instead: asItIs,
    width: 360,
    theme: "dark",
  });
  const open = await rowOf(page, /^Open POST \/sms\/send/);
  await isFine(page, "requests-dark-360");
  await open.click();
  await page.getByRole("dialog").getByText('"message": "Paid"').first().waitFor();
  await isFine(page, "request-dark-360");
  await page.getByRole("link", { name: sent.body.id }).click();
  await page.getByRole("dialog").getByText("Timeline").waitFor();
  await page.close();
});

test("nothing found, an unknown id and a fault of ours are told as what they are", { skip }, async () => {
  const none = await portal.open("/portal/requests?code=wrong_network", { instead: asItIs });
  await none.page.getByText("Nothing fits").waitFor();
  await none.page.getByRole("link", { name: "Clear the filters" }).click();
  await none.page.getByRole("button", { name: /^Open/ }).first().waitFor();
  await none.page.close();

  const unknown = await portal.open("/portal/requests?request=req_01kb3v9q4ze1xb8m6t2r5y7w0n", { instead: asItIs });
  await unknown.page.getByText("There is no such request").waitFor();
  await unknown.page.close();

  const empty = either(at("/portal/api/requests", { object: "list", data: [], has_more: false }), asItIs);
  const first = await portal.open("/portal/requests", { instead: empty, theme: "dark" });
  await first.page.getByText("No requests yet").waitFor();
  await isFine(first.page, "requests-empty-dark-1280");
  await first.page.close();

  const broken = await portal.open("/portal/requests", {
    instead: either(at("/portal/api/requests", BROKEN, 500), asItIs),
    width: 360,
  });
  await broken.page.getByText("on our side").waitFor();
  await isFine(broken.page, "requests-broken-light-360");
  await broken.page.close();
});
