import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Locator } from "playwright-core";
import { startStopwatch } from "../../src/testing/stopwatch.ts";
import {
  CHROMIUM,
  type Instead,
  type PortalBrowser,
  shoot,
  signInPath,
  startPortalBrowser,
  tabTo,
} from "./portal-browser.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";
const CLICKS_MAX = 12;
const PASSWORD = "three words in a row";

let portal: PortalBrowser;

before(async () => {
  if (!skip) portal = await startPortalBrowser();
});

after(async () => {
  await portal?.close();
});

/** Every request reaches the gateway as the page sends it: with its session, and without a key. */
const asItIs: Instead = (route) => route.continue();

test("a stranger signs up, subscribes, gets a key and sees the first message arrive, in twelve clicks at most", {
  skip,
}, async (t) => {
  const { page, complaints } = await portal.open("/", { instead: asItIs });
  const elapsedMs = startStopwatch();
  let clicks = 0;
  const click = async (what: Locator) => {
    await what.click();
    clicks += 1;
  };
  await click(page.getByRole("link", { name: "Create an account" }));
  await page.getByLabel("Your name").fill("Ada Obi");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await click(page.getByRole("button", { name: "Create an account" }));
  await click(page.getByRole("link", { name: "Open the outbox" }));
  await click(page.getByRole("link", { name: "Open the link" }));
  await click(page.getByRole("button", { name: "Use it free: SMS" }));
  await click(page.getByRole("button", { name: "Create a test key" }));
  await click(page.getByRole("button", { name: "Copy the key" }));
  await click(page.getByRole("button", { name: "Send in test mode" }));
  await page.getByText("delivered", { exact: true }).first().waitFor();
  await page.getByRole("log", { name: "Messages on the phone" }).getByText("Your code is 482913").waitFor();
  await shoot(page, "first-message");
  t.diagnostic(`${clicks} clicks, ${(elapsedMs() / 1_000).toFixed(1)} s`);
  assert.ok(clicks <= CLICKS_MAX);
  assert.deepEqual(complaints, []);

  await page.getByRole("link", { name: "Keys" }).click();
  await page.getByRole("region", { name: "Keys" }).getByText("afara_test_").first().waitFor();
  await page.getByRole("link", { name: "Messages" }).click();
  await page.getByRole("button", { name: /^Open SMS msg_/ }).click();
  await page.getByRole("dialog").getByText("Timeline").waitFor();
  await page.close();
});

test("the same way is walked by keyboard alone", { skip }, async () => {
  const { page } = await portal.open("/docs", { instead: asItIs });
  await page.context().clearCookies(); // nobody is signed in any more
  await page.goto(`${portal.gateway.base}/`);
  const { keyboard } = page;
  const press = async (name: string) => {
    await page.getByText(name, { exact: true }).or(page.getByRole("button", { name })).first().waitFor();
    await tabTo(page, name);
    await keyboard.press("Enter");
  };
  await press("Create an account");
  await page.getByLabel("Your name").waitFor();
  for (const [field, typed] of [
    ["Your name", "Bola Ade"],
    ["E-mail", "bola@example.com"],
    ["Password", PASSWORD],
  ] as const) {
    await tabTo(page, field);
    await keyboard.type(typed);
  }
  await keyboard.press("Enter");
  await press("Open the outbox");
  await page.getByText("To bola@example.com").waitFor(); // comes beside the answer, and then stands above Ada's
  await press("Open the link");
  await press("Use it free: SMS");
  await press("Create a test key");
  await press("Copy the key");
  await press("Send in test mode");
  await page.getByText("delivered", { exact: true }).first().waitFor();
  await page.getByRole("log", { name: "Messages on the phone" }).getByText("Your code is 482913").waitFor();
  await page.close();
});

test("the link that a local gateway prints signs its owner in once", { skip }, async () => {
  const path = await signInPath(portal.gateway);
  const { page } = await portal.open(path, { instead: asItIs });
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.getByText("Local", { exact: true }).first().waitFor();
  await page.goto(`${portal.gateway.base}${path}`);
  await page.waitForURL(/error=local_link_not_valid/);
  await page.close();
});
