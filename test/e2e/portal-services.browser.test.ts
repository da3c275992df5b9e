import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page, Request } from "playwright-core";
import {
  CHROMIUM,
  faultsIn,
  type Instead,
  look,
  overflowOf,
  type PortalBrowser,
  shoot,
  signInPath,
  startPortalBrowser,
} from "./portal-browser.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";

let portal: PortalBrowser;

/** Every request reaches the gateway as the page sends it: with its session, and without a key. */
const asItIs: Instead = (route) => route.continue();

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

const open = (path: string) => portal.open(`/portal${path}`, { instead: asItIs });
const buy = (page: Page) => page.getByRole("button", { name: "Buy in test mode" });
const onPhone = (page: Page) => page.getByRole("log", { name: "Messages on the phone" });
const reaches = (page: Page, state: string) =>
  page.locator("main form").first().getByText(state, { exact: true }).first().waitFor();

const LOOKS = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 360 },
] as const;

/** Whose text has no room. */
const CUT = (found: readonly { scrollWidth: number; clientWidth: number; textContent: string }[]) =>
  found.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);

/** What a page has come to, in both themes, wide and narrow. */
async function lookAt(page: Page, name: string): Promise<void> {
  for (const { theme, width } of LOOKS) {
    await look(page, theme, width);
    await page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))");
    await shoot(page, `${name}-${theme}-${width}`);
    assert.deepEqual(await faultsIn(page), []);
    const cut = page.locator("[class*=SegmentedControl-label]").evaluateAll(CUT);
    assert.deepEqual(await cut, [], `${name} cuts what one can choose at ${width} pixels`);
    assert.ok((await overflowOf(page)) <= 0, `${name} is wider than ${width} pixels`);
  }
}

/** What a page sends to a path to act, not to ask for a price. */
function sentBy(page: Page, path: string): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = [];
  page.on("request", (request: Request) => {
    if (request.method() !== "POST" || new URL(request.url()).pathname !== path) return;
    const body = request.postDataJSON() as Record<string, unknown>;
    if (body.validate_only !== true) sent.push(body);
  });
  return sent;
}

test("a meter is verified, electricity is bought for it once by a double click, and its screen shows the token", {
  skip,
}, async () => {
  const { page, complaints } = await open("/services/electricity");
  const sent = sentBy(page, "/electricity/purchase");
  await page.getByLabel("Meter number").press("Enter");
  await page.getByText("TEST CUSTOMER 1111").waitFor();
  await page.getByLabel("Amount").fill(" ₦7,000 ");
  await page.getByLabel("Price").getByText("₦7,020.00").waitFor();
  const left = page.getByLabel("Price", { exact: true }).getByText("₦992,980.00");
  await page.getByText("Left after this purchase").waitFor();
  await left.waitFor();
  await buy(page).dblclick();
  await reaches(page, "successful");
  const digits = page.getByRole("log", { name: "The meter’s screen" }).getByText(/^(\d{4} ){4}\d{4}$/);
  await digits.waitFor();
  await page.getByText("In the test wallet now").waitFor();
  await left.waitFor();
  const { body } = await portal.gateway.call<{ tokens: { value: string }[] }>("GET", "/test/meters/11111111111");
  assert.deepEqual(
    body.tokens.map(({ value }) => value),
    [await digits.textContent()],
  );
  assert.deepEqual(
    sent.map(({ amount }) => amount),
    ["7000"],
  );
  assert.deepEqual(complaints, []);

  await buy(page).click(); // before looking at the page, as the same is asked about for a minute only
  await page.getByText("bought the same for the same recipient").waitFor();
  await page.getByRole("button", { name: "Buy it once more" }).click();
  await reaches(page, "successful");
  assert.equal(sent.at(-1)?.allow_duplicate, true);
  await lookAt(page, "services-electricity-bought");
  await page.close();
});

test("a meter's leading zeros stay, and what is refused stands beside its field", { skip }, async () => {
  const { page } = await open("/services/electricity");
  const sent = sentBy(page, "/electricity/verify");
  const meter = page.getByLabel("Meter number");
  await meter.fill("01234567890");
  await meter.press("Enter");
  const fault = page.getByText("This disco knows no such meter.");
  await fault.waitFor();
  assert.equal(await meter.getAttribute("aria-invalid"), "true");
  assert.ok(
    (await meter.getAttribute("aria-describedby"))?.split(" ").includes((await fault.getAttribute("id")) ?? "-"),
  );
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.deepEqual(
    sent.map(({ meter_number }) => meter_number),
    ["01234567890"],
  );
  await page.close();
});

test("a pasted number with spaces and unseen marks is topped up, and a turn of the wheel leaves the amount as it is", {
  skip,
}, async () => {
  const { page } = await open("/services/airtime");
  const sent = sentBy(page, "/airtime/topup");
  await page.getByLabel("Phone", { exact: true }).fill("\u202a+234 803\u00a0123 4567\u202c");
  await page.getByText("MTN, by its prefix").waitFor();
  await page.getByLabel("Amount").fill("20");
  await buy(page).click();
  await page.getByLabel("Amount").and(page.locator("[aria-invalid=true]")).waitFor();
  await page.getByLabel("Amount").fill("0250");
  await page.getByLabel("Amount").hover();
  await page.mouse.wheel(0, 200);
  await page.getByLabel("Price").getByText("₦242.50").waitFor();
  await buy(page).click();
  await onPhone(page).getByText("₦250.00 airtime received").waitFor();
  assert.deepEqual(
    sent.map(({ amount }) => amount),
    ["20", "0250"],
  );
  await lookAt(page, "services-airtime-bought");

  await page.getByRole("link", { name: "Buy data" }).click();
  await page.getByRole("heading", { name: "Data", exact: true }).waitFor();
  await page.getByLabel("Phone", { exact: true }).fill("0805 123 4567");
  await page.getByText("Glo, by its prefix").waitFor();
  const plan = await page.getByLabel("Plan", { exact: true }).locator("option:checked").textContent();
  assert.match(plan ?? "", /^₦[\d,.]+ · /, "the price is not what a narrow field cuts");
  await buy(page).click();
  await onPhone(page)
    .getByText(`${plan?.split(" · ")[1]} received`)
    .waitFor();
  await lookAt(page, "services-data-bought");
  await page.close();
});

test("a text is refused while the window is closed; the phone writes, the window opens, and the text arrives", {
  skip,
}, async () => {
  const { page } = await open("/services/chat");
  await page.getByText("window closed").waitFor();
  const send = page.getByRole("button", { name: "Send in test mode" });
  await send.click();
  const refused = page.getByRole("alert").getByText("has not written to this number");
  await refused.waitFor();
  assert.equal((await page.getByRole("alert").textContent())?.includes("`"), false, "names are shown as code");
  await page.getByRole("button", { name: "Write from the phone" }).click();
  await page.getByText("window open").waitFor();
  await refused.waitFor({ state: "detached" });
  await page.getByText(/^23 h 5\d min left$/).waitFor();
  await onPhone(page).getByText("Is my order ready?").waitFor();
  await send.click();
  await reaches(page, "read");
  await onPhone(page).getByText("Your order 4471 is ready.").waitFor();
  await lookAt(page, "services-chat-open");

  await page.getByText("Template", { exact: true }).click();
  await page.getByLabel("Text 1").fill("Bola");
  await send.click();
  await reaches(page, "read"); // before that the phone shows the same as a draft
  await onPhone(page).getByText("Hello Bola, your order 4471 is ready.").waitFor();
  await page.close();
});

test("a smartcard is verified and its bouquet renewed; a voucher needs no card", { skip }, async () => {
  const { page } = await open("/services/cable");
  const screen = page.getByRole("log", { name: "The television’s screen" });
  await page.getByRole("button", { name: "Verify the smartcard" }).click();
  await screen.getByText("TEST SUBSCRIBER 1212").waitFor();
  await page.getByLabel("Price").getByText("₦19,020.00").waitFor();
  const ends = screen.locator("dl > div").filter({ hasText: "Ends" }).locator("dd");
  const before = (await ends.textContent()) ?? "";
  await buy(page).click();
  await reaches(page, "successful");
  await page.getByText("Paid", { exact: true }).waitFor();
  await ends.waitFor();
  assert.ok(((await ends.textContent()) ?? "") > before, "it ends later now");
  await lookAt(page, "services-cable-bought");

  await page.getByLabel("TV provider").selectOption("showmax");
  await page.getByLabel("Bouquet").getByRole("option").first().waitFor({ state: "attached" });
  assert.equal(await page.getByLabel("Smartcard number").count(), 0);
  await buy(page).click();
  await screen.getByText("voucher", { exact: true }).waitFor();
  await page.close();
});

test("a character that needs UCS-2 is underlined where it is typed, with what it costs", { skip }, async () => {
  const { page } = await open("/services/sms");
  await page.getByLabel("Message", { exact: true }).fill(`“${"ten chars ".repeat(10)}`);
  await page.getByTestId("marks").locator("mark").getByText("“").waitFor();
  await page.getByText("Without: 1 of 2 segments, ₦3.20 less.").waitFor();
  await lookAt(page, "services-sms-ucs2");
  await page.close();
});

/** Widths, heights and places of a text that is scrolled to its end, and of the marks that lie over it. */
const SCROLLED = `(async () => {
  const both = [document.querySelector("textarea"), document.querySelector("[data-testid=marks]")];
  both[0].scrollTo(0, both[0].scrollHeight);
  for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  return both.map(({ clientWidth, scrollHeight, scrollTop }) => [clientWidth, scrollHeight, scrollTop]);
})()`;

test("marks stay on their characters when a long text scrolls", { skip }, async () => {
  const { page } = await open("/services/sms");
  await page.getByLabel("Message", { exact: true }).fill(`${"many words ".repeat(90)}—`);
  await page.getByTestId("marks").locator("mark").waitFor();
  const [field, marks] = await page.evaluate<number[][]>(SCROLLED);
  assert.ok((field?.[2] ?? 0) > 0, "the text scrolls");
  assert.deepEqual(marks, field);
  await page.close();
});

test("a press after a lost answer goes out under the same key, and the message arrives once", { skip }, async () => {
  const keys: (string | undefined)[] = [];
  const losesFirst: Instead = (route) => {
    const request = route.request();
    if (request.method() !== "POST" || new URL(request.url()).pathname !== "/sms/send") return route.continue();
    keys.push(request.headers()["idempotency-key"]);
    return keys.length > 1 ? route.continue() : route.fetch().then(() => route.abort());
  };
  const { page } = await portal.open("/portal/services/sms", { instead: losesFirst });
  const send = page.getByRole("button", { name: "Send in test mode" });
  await page.getByLabel("To", { exact: true }).fill("0803 765 4321");
  await send.click();
  await page.getByText("The gateway can't be reached.").waitFor();
  await send.click();
  await reaches(page, "delivered");
  await onPhone(page).getByText("Your code is 482913").waitFor();
  assert.equal(await onPhone(page).getByText("Your code is 482913").count(), 1);
  assert.equal(keys.length, 2);
  assert.match(keys[0] ?? "", /^[0-9a-f]{16}$/);
  assert.equal(keys[1], keys[0]);
  await page.close();
});

test("the month is told by day, as a table too, with the limits of the plan", { skip }, async () => {
  await portal.gateway.call("POST", "/sms/send", { to: "08031234567", message: "Hello" });
  const { page } = await open("/services/sms");
  await page.getByRole("img", { name: /^Orders by day: [1-9]/ }).waitFor();
  await page.getByRole("button", { name: "Show as a table" }).click();
  await page
    .getByRole("cell", { name: /^\d+ \w+$/ })
    .first()
    .waitFor();
  await page.getByRole("cell", { name: /^sms-send/ }).waitFor();
  await lookAt(page, "services-usage");
  await page.close();
});

test("a form says in live mode that it uses test mode all the same, and leads there; live has no money yet", {
  skip,
}, async () => {
  const { page } = await open("/services/sms");
  await page.getByText("Live", { exact: true }).click();
  await page.getByText("this form always uses test mode").waitFor();
  assert.deepEqual(await faultsIn(page), []);
  await page.getByRole("button", { name: "Switch to test mode" }).click();
  await page.getByText("this form always uses test mode").waitFor({ state: "detached" });
  const code = page.locator("pre").first();
  const ligatures = code.evaluate((pre) => pre.ownerDocument.defaultView?.getComputedStyle(pre).fontVariantLigatures);
  assert.equal(await ligatures, "none");
  await page.getByText("Live", { exact: true }).click();
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.getByText("The live wallet is empty.").waitFor();
  await shoot(page, "home-live-empty");
  await page.close();
});

test("a plan is changed in place, after what it costs has been said", { skip }, async () => {
  const { page } = await open("/plans");
  const paid = page.getByRole("button", { name: /^Choose SMS / }).last();
  await paid.click();
  await page
    .getByRole("dialog")
    .getByText(/^₦[\d,]+\.\d\d$/)
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Choose Cable TV Free" }).click();
  await page.getByRole("dialog").getByText("It costs nothing").waitFor();
  await page.getByRole("dialog").getByText("Scale plan is not given back").waitFor();
  await page.getByRole("button", { name: "Change the plan" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goto(`${portal.gateway.base}/portal/services/cable`);
  await page.getByText("Free plan, ").waitFor();
  await page.close();
});

/** The guide's tables, a row for each target with what it says of a service. */
function guideRows(heading: string, column: number): string[][] {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/test-mode.md"), "utf8");
  const section = guide.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  return rows
    .slice(1)
    .map((row) =>
      row
        .replaceAll("`", "")
        .split("|")
        .map((cell) => cell.trim()),
    )
    .map((cells) => [cells[1] ?? "", cells[column] ?? ""])
    .filter(([, outcome]) => outcome !== "–");
}

const MAGIC = [
  { path: "/services/sms", rows: guideRows("Magic numbers", 2) },
  { path: "/services/chat", rows: guideRows("Magic numbers", 3) },
  { path: "/services/airtime", rows: guideRows("Magic numbers", 4) },
  { path: "/services/electricity", rows: guideRows("Magic meters", 2) },
  { path: "/services/cable", rows: guideRows("Magic smartcards", 2) },
];

test("each page says of magic numbers, meters and smartcards what the guide says", { skip }, async () => {
  const { page } = await open("/services");
  for (const { path, rows } of MAGIC) {
    await page.goto(`${portal.gateway.base}/portal${path}`);
    await page.locator("details summary").click();
    const cells = await page
      .locator("details tbody tr")
      .evaluateAll((found) => found.map((row) => [...row.children].map(({ textContent }) => textContent)));
    assert.ok(rows.length > 4, path);
    assert.deepEqual(cells, rows, path);
  }
  await page.close();
});
