import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { CHROMIUM, type Instead, json, type PortalBrowser, startPortalBrowser, tabTo } from "./portal-browser.ts";
import { either, NOBODY, newcomer, personWith, sessionOf } from "./portal-person.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";

let portal: PortalBrowser;

before(async () => {
  if (!skip) portal = await startPortalBrowser();
});

after(async () => {
  await portal?.close();
});

test("the sign-in is walked by keyboard alone", { skip }, async () => {
  let session: object = NOBODY;
  const instead: Instead = (route) => personWith(session)(route);
  const { page } = await portal.open("/portal/sign-in", { instead });
  await page.getByText("Forgot your password?").waitFor();
  await tabTo(page, "E-mail");
  await page.keyboard.type("ada@example.com");
  await tabTo(page, "Password");
  await page.keyboard.type("three words in a row");
  session = sessionOf("owner");
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.close();
});

test("an SMS is sent by keyboard alone, and is seen to arrive on the phone", { skip }, async () => {
  const { page } = await portal.open("/portal/services/sms", { instead: personWith(sessionOf("owner")) });
  await page.getByText("GSM-7").waitFor();
  await tabTo(page, "Skip to the page");
  await page.keyboard.press("Enter");
  await tabTo(page, "To");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("08021234567");
  await tabTo(page, "Message");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Paid: ₦5,000");
  await page.getByText("needs UCS-2").waitFor();
  await tabTo(page, "Send in test mode");
  await page.keyboard.press("Enter");
  await page.getByText("delivered", { exact: true }).first().waitFor();
  await page.getByRole("log", { name: "Messages on the phone" }).getByText("Paid: ₦5,000").waitFor();
  await page.close();
});

test("a refused number is told beside its field, and nothing is lost of what was typed", { skip }, async () => {
  const { page } = await portal.open("/portal/services/sms", { instead: personWith(sessionOf("owner")) });
  await page.getByLabel("To").fill("0803");
  await page.getByRole("button", { name: "Send in test mode" }).click();
  await page.getByText("This is not a valid phone number.").waitFor();
  const [field] = await page.getByLabel("To").all();
  assert.equal(await field?.getAttribute("aria-invalid"), "true");
  assert.equal(await page.getByLabel("Message", { exact: true }).inputValue(), "Your code is 482913");
  assert.equal(await page.getByRole("alert").filter({ visible: true }).count(), 0);
  await page.close();
});

test("a newcomer chooses a service, gets a key and sees the first message arrive in four clicks", {
  skip,
}, async () => {
  const instead = either(personWith(sessionOf("owner"), { keys: [] }), newcomer());
  const { page } = await portal.open("/portal", { instead });
  await page.getByRole("button", { name: "Use it free: SMS" }).click();
  await page.getByRole("button", { name: "Create a test key" }).click();
  await page.getByRole("button", { name: "Copy the key" }).click();
  await page.getByText("afara_test_0123••••wxyz").first().waitFor(); // masked in the examples
  await page.getByRole("button", { name: "Send in test mode" }).click();
  await page.getByText("delivered", { exact: true }).first().waitFor();
  await page.getByRole("log", { name: "Messages on the phone" }).getByText("Your code is 482913").waitFor();
  await page.close();
});

test("a mode that is switched is told to the API, and the line of test mode is gone", { skip }, async () => {
  await portal.gateway.call("POST", "/sms/send", { to: "08031234567", message: "Hello" });
  const { page } = await portal.open("/portal", { instead: personWith(sessionOf("owner")) });
  await page.getByText("Test mode:").waitFor();
  await page.getByText("Today by service").waitFor();
  const asked = page.waitForRequest(
    (request) => request.url().endsWith("/wallet") && request.headers()["afara-mode"] === "live",
  );
  await page.getByText("Live", { exact: true }).click();
  await page.getByText("Test mode:").waitFor({ state: "hidden" });
  assert.equal((await asked).headers()["afara-account"], "acc_1");
  await page.close();
});

test("a session that has ended meanwhile leads to the sign-in, and back to the page", { skip }, async () => {
  let session: object = sessionOf("owner");
  const ended: Instead = (route) => {
    const isOver = session === NOBODY && new URL(route.request().url()).pathname === "/portal/api/orders";
    return isOver ? json(route, { status: 401, code: "missing_api_key", detail: "Sign in." }, 401) : undefined;
  };
  const { page } = await portal.open("/portal/keys", {
    instead: either(ended, (route) => personWith(session)(route)),
  });
  await page.getByText("revoked").waitFor();
  session = NOBODY;
  await page.getByRole("link", { name: "Messages" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.waitForURL((url) => url.searchParams.get("next") === "/messages");
  await page.close();
});
