import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { codeOf, nextCodeOf } from "../../src/testing/totp.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { CHROMIUM, faultsIn, type Instead, type PortalBrowser, shoot, startPortalBrowser } from "./portal-browser.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";
const PASSWORD = "three words in a row";
const NEW_PASSWORD = "other words in a long row";
const OWNER = { name: "Ada Obi", email: "ada@example.com" };
const INVITED = { name: "Bola Ade", email: "bola@example.com" };

let portal: PortalBrowser;

before(async () => {
  if (!skip) portal = await startPortalBrowser();
});

after(async () => {
  await portal?.close();
});

/** Every request reaches the gateway as the page sends it: with its session, and without a key. */
const asItIs: Instead = (route) => route.continue();

/** Another name of the same machine has cookies of its own: the second person's browser. */
const elsewhere = (path: string): string => new URL(path, portal.gateway.base.replace("127.0.0.1", "localhost")).href;

const fillIn = async (page: Page, { name, email }: typeof OWNER) => {
  await page.getByLabel("Your name").fill(name);
  if ((await page.getByLabel("E-mail").inputValue()) === "") await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create an account" }).click();
  await page.getByRole("link", { name: "Open the outbox" }).click();
};

/** Links of a kind in the mails to an address, in the outbox that the page shows. They come there beside the answers. */
const linksTo = (page: Page, email: string, kind: "verify-email" | "invitation") =>
  page
    .getByRole("article")
    .filter({ hasText: `To ${email}` })
    .locator(`a[href*="/${kind}?"]`);

/** The newest one. */
const linkTo = async (...of: Parameters<typeof linksTo>): Promise<string> => {
  const href = await linksTo(...of)
    .first()
    .getAttribute("href");
  assert.ok(href);
  return href;
};

const goTo = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();

test("an owner invites; who signs up and accepts may do what the role says, until it changes or ends", {
  skip,
}, async () => {
  const { page: owner, complaints } = await portal.open("/portal/sign-up", { instead: asItIs });
  await fillIn(owner, OWNER);
  await owner.goto(await linkTo(owner, OWNER.email, "verify-email"));
  await owner.getByRole("button", { name: "Use it free: SMS" }).click();
  await owner.getByRole("button", { name: "Create a test key" }).waitFor();
  await goTo(owner, "Team");
  await owner.getByText("None. Whoever is invited").waitFor();
  await owner.getByRole("button", { name: "Invite" }).click();
  await owner.getByRole("dialog").getByLabel("E-mail").fill(INVITED.email);
  await owner.getByRole("dialog").getByLabel("viewer").check();
  await owner.getByRole("button", { name: "Send the invitation" }).click();
  await owner.getByRole("button", { name: `Withdraw the invitation of ${INVITED.email}` }).waitFor();
  await owner.getByText("This gateway is local and sends no mail").getByRole("link", { name: "outbox" }).waitFor();
  await shoot(owner, "team-invited");

  const { page: invited } = await portal.open("/portal/outbox", { instead: asItIs });
  const { pathname, search } = new URL(await linkTo(invited, INVITED.email, "invitation"));
  await invited.goto(elsewhere(`${pathname}${search}`));
  await invited.getByText(INVITED.email).waitFor();
  await invited.getByRole("link", { name: "Create an account" }).click();
  await fillIn(invited, INVITED);
  await invited.goto(await linkTo(invited, INVITED.email, "verify-email"));
  await invited.getByText(OWNER.name, { exact: true }).waitFor(); // the account's name; back at the invitation by itself
  await shoot(invited, "invitation-real");
  await invited.getByRole("button", { name: "Accept" }).click();

  await goTo(invited, "Team");
  await invited.getByText(OWNER.email).waitFor();
  assert.equal(await invited.getByRole("row").filter({ hasText: INVITED.email }).getByText("viewer").count(), 1);
  assert.equal(await invited.getByRole("button", { name: "Invite" }).count(), 0);
  assert.equal(await invited.getByRole("button", { name: `Actions on ${OWNER.name}` }).count(), 0);
  await goTo(invited, "Keys");
  await invited.getByRole("heading", { name: "Keys" }).waitFor();
  await invited.getByRole("region", { name: "Keys" }).getByRole("alert").waitFor(); // their role is told that it may not
  await shoot(invited, "viewer-keys");
  assert.equal(await invited.getByRole("button", { name: "Create a key" }).count(), 0);
  await invited.goto(elsewhere("/portal/services/sms"));
  assert.ok(await invited.getByRole("button", { name: "Send in test mode" }).isDisabled());

  await owner.reload();
  await owner.getByRole("button", { name: `Actions on ${INVITED.name}` }).click();
  await owner.getByRole("menuitem", { name: "Change the role" }).click();
  await owner.getByRole("dialog").getByLabel("developer").check();
  await owner.getByRole("dialog").getByRole("button", { name: "Change the role" }).click();
  await owner.getByRole("row").filter({ hasText: INVITED.email }).getByText("developer").waitFor();
  await invited.goto(elsewhere("/portal/keys"));
  await invited.getByRole("button", { name: "Create a key" }).first().waitFor();

  await owner.getByRole("button", { name: `Actions on ${INVITED.name}` }).click();
  await owner.getByRole("menuitem", { name: "Remove" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await owner.getByText(INVITED.email, { exact: true }).waitFor({ state: "detached" });
  await invited.goto(elsewhere("/portal/team"));
  await invited.getByText(`Who works in ${INVITED.name}`).waitFor(); // their own is what is left
  await invited.getByRole("row").filter({ hasText: INVITED.email }).waitFor();
  assert.equal(await invited.getByText(OWNER.email).count(), 0);
  assert.deepEqual(complaints, []);
  await owner.close();
  await invited.close();
});

test("the invitation tells somebody else whose it is, and lets them sign out; a used one says so", {
  skip,
}, async () => {
  const { page } = await portal.open("/portal/outbox", { instead: asItIs });
  const { pathname, search } = new URL(await linkTo(page, INVITED.email, "invitation"));
  await page.goto(`${portal.gateway.base}${pathname}${search}`); // the owner's browser
  await page.getByText(`signed in as ${OWNER.email}`).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
  assert.equal(await page.getByLabel("E-mail").inputValue(), INVITED.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "This invitation is over" }).waitFor();
  await page.close();
});

test("a link of a mail that was used leads to words that say what to do", { skip }, async () => {
  const { page } = await portal.open("/portal/api/auth/verify-email?token=used", { instead: asItIs });
  await page.getByRole("status").filter({ hasText: "was used or is too old" }).waitFor();
  await page.goto(`${portal.gateway.base}/portal/sign-in?error=local_link_not_valid`);
  await page.getByRole("status").filter({ hasText: "Start the gateway again" }).waitFor();
  await page.goto(`${portal.gateway.base}/portal/sign-in?verified=true&next=/team`);
  await page.getByRole("status").filter({ hasText: "Your address is confirmed" }).waitFor();
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Team" }).waitFor();
  await page.goto(`${portal.gateway.base}/portal/operator?token=used`);
  await page.getByRole("heading", { name: "This link is not valid" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Become an operator" }).count(), 0);
  assert.deepEqual(await faultsIn(page), []);
  await page.close();
});

test("a person ends a session that they left open, and changes their password", { skip }, async () => {
  const { page } = await portal.open("/portal/you", { instead: asItIs }); // the owner's, from the sign-in before
  await page.goto(elsewhere("/portal/sign-in"));
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "You" }).click();
  await page.getByRole("menuitem", { name: "Your sign-in" }).click();
  const others = page.getByRole("button", { name: /^End the session/ });
  await others.first().waitFor();
  const count = await others.count();
  await others.first().click();
  await others.nth(count - 1).waitFor({ state: "detached" });
  assert.equal(await others.count(), count - 1);

  const current = page.getByLabel("Current password", { exact: true });
  await current.fill("not this one");
  await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByText("The password is not right.").waitFor();
  await current.fill(PASSWORD);
  await page.getByRole("button", { name: "Change the password" }).click();
  await waitFor("the fields are empty: it is changed", async () => (await current.inputValue()) === "");
  await others.first().waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("this one").waitFor(); // still signed in
  await page.close();
});

test("a passkey is added, signs in by the button, and is removed", { skip }, async () => {
  const { page, complaints } = await portal.open("/portal/outbox", { instead: asItIs });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable", { enableUI: false });
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(elsewhere("/portal/you")); // still signed in there
  await page.getByLabel("Name of the passkey").fill("Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("row").filter({ hasText: "Laptop" }).getByText("never", { exact: true }).waitFor();
  await shoot(page, "you-passkeys-real");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("This device has a passkey of yours already.").waitFor();

  // Without the browser's own list, in which the passkey would be chosen before the button is pressed.
  await page.evaluate("PublicKeyCredential.isConditionalMediationAvailable = async () => false");
  await page.getByRole("button", { name: "You", exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
  await shoot(page, "sign-in-passkey");
  assert.deepEqual(await faultsIn(page), []);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();

  await page.goto(elsewhere("/portal/you"));
  await page.getByRole("button", { name: "Remove the passkey Laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove the passkey Laptop" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "You", exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("This passkey is not known here, or was removed.").waitFor();
  assert.deepEqual(
    complaints.filter((text) => !text.includes("Failed to load resource")),
    [],
  );
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.close();
});

test("an invitation is withdrawn; another is declined; who accepted one leaves again", { skip }, async () => {
  const { page } = await portal.open("/portal/outbox", { instead: asItIs });
  await page.goto(elsewhere("/portal/team")); // the owner's browser
  const invite = async () => {
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").getByLabel("E-mail").fill(INVITED.email);
    await page.getByRole("button", { name: "Send the invitation" }).click();
    const withdraw = page.getByRole("button", { name: `Withdraw the invitation of ${INVITED.email}` });
    await withdraw.waitFor();
    return withdraw;
  };
  await (await invite()).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await page.getByText("None. Whoever is invited").waitFor();
  await invite();

  const { page: invited } = await portal.open("/portal/outbox", { instead: asItIs });
  /** Of all their invitations the nth: the oldest stands last. */
  const open = async (nth: number) => {
    await invited.goto(`${portal.gateway.base}/portal/outbox`);
    const links = linksTo(invited, INVITED.email, "invitation");
    await links.nth(nth - 1).waitFor();
    const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    const { pathname, search } = new URL(hrefs.at(-nth)!);
    await invited.goto(`${portal.gateway.base}${pathname}${search}`); // their browser, by the other name
  };
  await open(3);
  await invited
    .getByRole("link", { name: "Sign in" })
    .or(invited.getByRole("button", { name: "Decline" }))
    .waitFor();
  if (await invited.getByRole("link", { name: "Sign in" }).isVisible()) {
    await invited.getByRole("link", { name: "Sign in" }).click();
    await invited.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await invited.getByRole("button", { name: "Sign in", exact: true }).click();
  }
  await invited.getByRole("button", { name: "Decline" }).click();
  await invited.getByRole("navigation", { name: "Pages" }).waitFor();
  await open(2);
  await invited.getByRole("heading", { name: "This invitation is over" }).waitFor(); // the withdrawn one

  await page.reload();
  await page.getByText("None. Whoever is invited").waitFor();
  await invite();
  await open(4);
  await invited.getByRole("button", { name: "Accept" }).click();
  await goTo(invited, "Team");
  await invited.getByRole("button", { name: `Actions on ${INVITED.name}` }).click();
  await invited.getByRole("menuitem", { name: "Leave the account" }).click();
  await invited.getByRole("dialog").getByRole("button", { name: "Leave the account" }).click();
  await invited.getByText(`Who works in ${INVITED.name}`).waitFor();
  await page.reload();
  await page.getByText(OWNER.email).first().waitFor();
  await page.getByText("None. Whoever is invited").waitFor();
  assert.equal(await page.getByText(INVITED.email).count(), 0);
  await invited.close();
  await page.close();
});

test("a second factor is set up with the key that is shown, and asked for at the next sign-in", { skip }, async () => {
  const { page } = await portal.open("/portal/outbox", { instead: asItIs });
  await page.goto(elsewhere("/portal/you")); // still signed in there, with the new password
  await page.getByLabel("Your password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Set it up" }).click();
  const app = await page.getByRole("link", { name: "Open it in an app" }).getAttribute("href");
  assert.ok(app);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(app));
  await page.getByRole("button", { name: "Turn it on" }).click();
  await page.getByRole("button", { name: "Turn it off" }).waitFor();
  await page.getByRole("button", { name: "You", exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("Code", { exact: true }).fill(nextCodeOf(app));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await page.close();
});
