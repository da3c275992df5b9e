import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { waitFor } from "../../src/testing/wait-for.ts";
import {
  CHROMIUM,
  faultsIn,
  type Instead,
  type PortalBrowser,
  shoot,
  signInPath,
  startPortalBrowser,
} from "./portal-browser.ts";
import { NOBODY, personWith, sessionOf } from "./portal-person.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";

let portal: PortalBrowser;

before(async () => {
  if (!skip) portal = await startPortalBrowser();
});

after(async () => {
  await portal?.close();
});

/** As it is sent, by whoever is signed in. */
const untouched: Instead = (route: Route) => route.continue();

const trialOf = (page: Page, id: string) =>
  page.locator("section", { has: page.locator(`h2#${id}`) }).locator("details.try");

async function openTrial(page: Page, id: string) {
  const trial = trialOf(page, id);
  await trial.locator("> summary").click();
  return trial;
}

test("without a session a trial leads to the sign-in, which leads back to the operation", { skip }, async () => {
  let session: object = NOBODY;
  const { page } = await portal.open("/docs/api/sms", { instead: (route) => personWith(session)(route) });
  const trial = await openTrial(page, "sendSms");
  await trial.getByRole("link", { name: "Sign in" }).waitFor();
  assert.equal(await trial.getByRole("button").count(), 0);
  await trial.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("three words in a row");
  session = sessionOf("owner");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/api/sms#sendSms");
  await page.close();
});

test("whoever is signed in sends an SMS from the page, in test mode and without a key, and repeats it safely", {
  skip,
}, async () => {
  const { page } = await portal.open(await signInPath(portal.gateway), { instead: untouched });
  await page.goto(`${portal.gateway.base}/docs/api/sms`);
  const sent: { headers: Record<string, string>; method: string }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/sms/send")) sent.push({ headers: request.headers(), method: request.method() });
  });
  const trial = await openTrial(page, "sendSms");
  await trial.getByText("It changes something, in test mode").waitFor();
  await trial.getByLabel("Body").fill('{"to":"08031234567","message":"From the reference"}');
  const button = trial.getByRole("button", { name: "Send POST" });
  await button.evaluate((element) => element.scrollIntoView({ block: "end" })); // the answer is below what is seen
  await button.press("Enter");
  const answered = trial.getByText("202 Accepted");
  await answered.waitFor();
  const height = page.viewportSize()?.height ?? 0;
  await waitFor("the answer in sight", async () => {
    const box = await answered.boundingBox();
    return box !== null && box.y + box.height <= height;
  });
  const ligatures = await page.evaluate<string[]>(
    "[...document.querySelectorAll('pre, textarea')].map((one) => getComputedStyle(one).fontVariantLigatures)",
  );
  assert.deepEqual(new Set(ligatures), new Set(["none"]));
  const id = /"id": "(msg_\w+)"/.exec((await trial.locator(".outcome pre").textContent()) ?? "")?.[1];
  assert.match((await trial.locator(".outcome").textContent()) ?? "", /in \d+ ms[\s\S]*Request-Id req_/);
  assert.deepEqual(await faultsIn(page), []);
  await shoot(page, "try-it-light-1280");

  await trial.getByRole("button", { name: "Send POST" }).click();
  await trial.getByText("Idempotent-Replayed").waitFor();
  await trial.getByLabel("Body").fill('{"to":"08031234567"}');
  await trial.getByRole("button", { name: "Send POST" }).click();
  await trial.getByText("400 Bad Request").waitFor();

  assert.deepEqual(
    sent.map(({ method, headers }) => [method, headers["afara-mode"], headers["x-api-key"]]),
    [...Array(3)].map(() => ["POST", "test", undefined]),
  );
  await waitFor("the handset has it", async () => {
    const { body } = await portal.gateway.call<{ status: string }>("GET", `/sms/status/${id}`);
    return body.status === "delivered";
  });

  const read = await openTrial(page, "getSms");
  await read.getByLabel("message_id").fill(id ?? "");
  await read.getByRole("button", { name: "Send GET" }).click();
  await read.getByText('"message": "From the reference"').waitFor();
  await page.close();
});

test("an operation that a page can't send says why", { skip }, async () => {
  const { page } = await portal.open("/docs/api/account");
  const plans = page.locator("section", { has: page.locator("h2#putSubscription") });
  assert.match((await plans.textContent()) ?? "", /Not tried from this page\. It changes the account itself/);
  assert.equal(await plans.locator("details.try").count(), 0);
  await page.goto(`${portal.gateway.base}/docs/api/events`);
  assert.match((await page.locator("main").textContent()) ?? "", /A stream does not end/);
  await page.close();
});

const SEARCHES = [
  ["send one sms", "Send one SMS", "/docs/api/sms#sendSms"],
  ["on_ambiguous", "Send one SMS", "/docs/api/sms#sendSms"],
  ["rate_limited", "rate_limited", "/docs/errors/rate_limited"],
  ["repeat safely", "Repeat it safely", "/docs/guides/first-sms#repeat-it-safely"],
] as const;
for (const [query, name, url] of SEARCHES)
  test(`the search for “${query}” finds ${url}, by keyboard alone`, { skip }, async () => {
    const { page } = await portal.open("/docs/guides");
    await page.keyboard.press("/");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type(query);
    const results = page.getByRole("option");
    await results.first().waitFor();
    const found = await results.allTextContents();
    const at = found.findIndex((text) => text.startsWith(name));
    assert.ok(at >= 0 && at < 3, found.join(" | "));
    assert.deepEqual(await faultsIn(page), []);
    await shoot(page, `search-${query.replaceAll(" ", "-")}`);
    for (let step = 0; step < at; step += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${url}`);
    await page.close();
  });

test("a search without a result says so, and Escape closes it", { skip }, async () => {
  const { page } = await portal.open("/docs");
  await page.getByRole("button", { name: "Search" }).click();
  await page.keyboard.type("zzzz");
  await page.getByText("Nothing has any of these words.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("combobox").waitFor({ state: "hidden" });
  await page.close();
});

test("the chosen colours stay on the next page, and are those of the portal", { skip }, async () => {
  const { page } = await portal.open("/docs", { theme: "light" });
  const colours = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const light = await colours();
  await page.getByRole("button", { name: "Dark" }).click();
  const dark = await colours();
  assert.notEqual(dark, light);
  await page.goto(`${portal.gateway.base}/docs/guides`);
  assert.equal(await colours(), dark);
  assert.equal(await page.evaluate("localStorage.getItem('mantine-color-scheme-value')"), "dark");
  await page.evaluate("localStorage.removeItem('mantine-color-scheme-value')");
  await page.close();
});

test("a choice of a language holds for all examples and on the next page, and they call this gateway", {
  skip,
}, async () => {
  const { page } = await portal.open("/docs/api/wallet");
  await page.locator(".code").first().getByText("PHP", { exact: true }).click();
  const shown = await page.locator(".code pre:visible").allTextContents();
  assert.ok(shown.length > 3 && shown.every((text) => text.startsWith("<?php")));
  assert.ok(shown.every((text) => text.includes(`"${portal.gateway.base}/`)));
  await page.goto(`${portal.gateway.base}/docs/api/orders`);
  assert.match((await page.locator(".code pre:visible").first().textContent()) ?? "", /^<\?php/);
  await page.evaluate("localStorage.removeItem('afara.language')");
  await page.close();
});

test("a reader gets from the reference to a guide, and from guide to guide, by links", { skip }, async () => {
  const { page } = await portal.open("/docs");
  await page.getByRole("link", { name: "The guides" }).click();
  await page.getByRole("article").getByRole("link", { name: "Your first SMS" }).click();
  await page.getByRole("link", { name: "simulator's page" }).click();
  await page.waitForURL("**/docs/guides/smsc-simulator");
  await page.goBack();
  await page.locator('[rel="next"]').click();
  await page.waitForURL("**/docs/guides/senders-and-replies");
  await page.close();
});
