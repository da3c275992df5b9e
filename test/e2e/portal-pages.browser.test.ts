import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import {
  CHROMIUM,
  faultsIn,
  type Instead,
  look,
  type Opened,
  overflowOf,
  type PortalBrowser,
  shoot,
  startPortalBrowser,
} from "./portal-browser.ts";
import { at, either, NOBODY, newcomer, personWith, type Role, sessionOf } from "./portal-person.ts";

const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";

let portal: PortalBrowser;

before(async () => {
  if (skip) return;
  portal = await startPortalBrowser();
  for (const to of ["08031234567", "08000000001", "08000000003"])
    await portal.gateway.call("POST", "/sms/send", { to, message: "Your code is 482913" });
  await portal.gateway.call(
    "POST",
    "/electricity/purchase",
    { meter_number: "11111111111", disco: "ikeja", amount: "5000", to: "08031234567" },
    { "idempotency-key": "portal" },
  );
});

after(async () => {
  await portal?.close();
});

const nobody = personWith(NOBODY);
const as = (role: Role) => personWith(sessionOf(role));
const withFactor = personWith(sessionOf("owner", { two_factor: true }));
const begins = () => either(personWith(sessionOf("owner"), { keys: [] }), newcomer());
const emptyAccount = personWith(sessionOf("viewer"), { keys: [], mails: [] });
const refusal = (status: number, code: string, detail: string) => ({ status, code, detail, request_id: "req_1" });
const withoutPassword = personWith(sessionOf("owner", { has_password: false, passkeys: 0 }));
/** The first act that needs it is refused until the person has confirmed it. */
const asksToConfirm = either(
  at("/portal/api/auth/organization/update-member-role", refusal(403, "confirmation_required", "Confirm it."), 403),
  personWith(sessionOf("owner", { two_factor: true })),
);
const forbidden = either(
  as("viewer"),
  at("/portal/api/orders", refusal(403, "scope_missing", "Your role has no scope `read`."), 403),
);
const broken = either(
  as("owner"),
  at("/services", refusal(500, "internal_error", "Something went wrong on our side."), 500),
);
/** The gateway knows who asks, and has not answered anything else yet. */
const waiting = either(at("/portal/api/session", sessionOf("owner")), (route) =>
  ["fetch", "xhr"].includes(route.request().resourceType()) ? new Promise<void>(() => {}) : undefined,
);
const unsubscribed = either(as("owner"), at("/subscriptions", { object: "list", data: [], has_more: false }));

interface Shown {
  readonly path: string;
  /** What is to be read before it is looked at. */
  readonly text: string;
  readonly instead: () => Instead;
  /** To the state that is looked at. */
  readonly act?: (page: Page) => Promise<void>;
  /** A refusal that the browser reports too. */
  readonly refused?: boolean;
}

const INVITATION = "/portal/invitation?id=inv_1&email=ada@example.com";

const press = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();

const changeRole = async (page: Page) => {
  await page.getByRole("button", { name: "Actions on Oluwaseun" }).click();
  await page.getByRole("menuitem", { name: "Change the role" }).click();
  await page.getByRole("dialog").getByLabel("finance").waitFor();
};
const changeRoleLate = async (page: Page) => {
  await changeRole(page);
  await page.getByRole("dialog").getByLabel("finance").check();
  await page.getByRole("dialog").getByRole("button", { name: "Change the role" }).click();
  await page.getByText("Confirm that it is you").waitFor();
};
const removeMember = async (page: Page) => {
  await page.getByRole("button", { name: "Actions on Oluwaseun" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByLabel("Revoke them, too").waitFor();
};
const openOrder = async (page: Page) => {
  await press("Open Electricity")(page);
  await page.getByRole("dialog").getByText("Timeline").waitFor();
};
const setFactorUp = async (page: Page) => {
  await page.getByRole("textbox", { name: "Your password" }).fill("a password of their own");
  await page.getByRole("button", { name: "Set it up" }).click();
  await page.getByRole("heading", { name: "1. Scan this" }).waitFor();
};

const SHOWN: Record<string, Shown> = {
  "sign-in": { path: "/portal/sign-in", text: "Forgot your password?", instead: () => nobody },
  "sign-in-link-used": {
    path: "/portal/sign-in?error=link_not_valid",
    text: "was used or is too old",
    instead: () => nobody,
  },
  "sign-in-verified": { path: "/portal/sign-in?verified=true", text: "is confirmed", instead: () => nobody },
  invited: { path: INVITATION, text: "The invitation went to", instead: () => nobody },
  "invitation-answer": { path: INVITATION, text: "changes nothing", instead: () => as("viewer") },
  "invitation-over": { path: "/portal/invitation?id=inv_0", text: "is over", instead: () => as("viewer") },
  "invitation-of-another": {
    path: "/portal/invitation?id=inv_1&email=bola@example.com",
    text: "signed in as",
    instead: () => as("viewer"),
  },
  "sign-up": { path: "/portal/sign-up", text: "Ten characters", instead: () => nobody },
  verify: { path: "/portal/verify?email=ada@example.com", text: "Open the outbox", instead: () => nobody },
  "reset-password": { path: "/portal/reset-password", text: "Send the link", instead: () => nobody },
  "new-password": { path: "/portal/reset-password?token=t", text: "Change the password", instead: () => nobody },
  outbox: { path: "/portal/outbox", text: "Open the link", instead: () => nobody },
  "outbox-empty": { path: "/portal/outbox", text: "No mail yet", instead: () => emptyAccount },
  "not-found": { path: "/portal/nothing", text: "There is no page here", instead: () => nobody },
  "first-steps": { path: "/portal", text: "Choose a service", instead: begins },
  home: { path: "/portal", text: "Latest orders", instead: () => as("owner") },
  menu: { path: "/portal", text: "Latest orders", instead: () => as("owner"), act: press("You") },
  services: { path: "/portal/services", text: "Cable TV", instead: () => as("owner") },
  "services-broken": { path: "/portal/services", text: "on our side", instead: () => broken, refused: true },
  plan: { path: "/portal/services", text: "Cable TV", instead: () => as("owner"), act: press("Choose SMS Growth") },
  sms: { path: "/portal/services/sms", text: "GSM-7", instead: () => as("owner") },
  "sms-for-viewer": { path: "/portal/services/sms", text: "Your role may look", instead: () => as("viewer") },
  "sms-not-subscribed": { path: "/portal/services/sms", text: "Not subscribed yet", instead: () => unsubscribed },
  chat: { path: "/portal/services/chat", text: "window closed", instead: () => as("owner") },
  airtime: { path: "/portal/services/airtime", text: "by its prefix", instead: () => as("owner") },
  data: { path: "/portal/services/data", text: "by its prefix", instead: () => as("owner") },
  electricity: { path: "/portal/services/electricity", text: "whose it is", instead: () => as("owner") },
  "electricity-for-viewer": {
    path: "/portal/services/electricity",
    text: "Your role may look",
    instead: () => as("viewer"),
  },
  cable: { path: "/portal/services/cable", text: "whose it is", instead: () => as("owner") },
  plans: { path: "/portal/plans", text: "Pay for cable TV", instead: () => as("owner") },
  "plans-change": {
    path: "/portal/plans",
    text: "Cable TV",
    instead: () => as("owner"),
    act: press("Choose SMS Free"),
  },
  keys: { path: "/portal/keys", text: "revoked", instead: () => as("owner") },
  "keys-empty": { path: "/portal/keys", text: "No key yet", instead: () => emptyAccount },
  "key-new": { path: "/portal/keys", text: "revoked", instead: () => as("owner"), act: press("Create a key") },
  orders: { path: "/portal/orders", text: "Electricity", instead: () => as("owner") },
  messages: { path: "/portal/messages", text: "delivered", instead: () => as("owner") },
  "orders-none-fits": { path: "/portal/orders?status=cancelled", text: "Nothing fits", instead: () => as("owner") },
  "orders-forbidden": { path: "/portal/orders", text: "no scope", instead: () => forbidden, refused: true },
  team: { path: "/portal/team", text: "Withdraw", instead: () => as("owner") },
  "team-invite": { path: "/portal/team", text: "Withdraw", instead: () => as("owner"), act: press("Invite") },
  "team-member": { path: "/portal/team", text: "Withdraw", instead: () => as("owner"), act: changeRole },
  "team-remove": { path: "/portal/team", text: "Withdraw", instead: () => as("owner"), act: removeMember },
  "team-for-viewer": { path: "/portal/team", text: "An owner invites", instead: () => as("viewer") },
  you: { path: "/portal/you", text: "Chrome on Android", instead: () => as("owner") },
  "you-with-factor": { path: "/portal/you", text: "Turn it off", instead: () => withFactor },
  "second-factor": { path: "/portal/you", text: "Chrome on Android", instead: () => as("owner"), act: setFactorUp },
  "you-without-password": { path: "/portal/you", text: "Set a password", instead: () => withoutPassword },
  "step-up": {
    path: "/portal/team",
    text: "Withdraw",
    instead: () => asksToConfirm,
    act: changeRoleLate,
    refused: true,
  },
  operator: { path: "/portal/operator?token=t", text: "Become an operator", instead: () => as("owner") },
  "operator-signed-out": { path: "/portal/operator?token=t", text: "Sign in", instead: () => nobody },
  order: { path: "/portal/orders", text: "Electricity", instead: () => as("owner"), act: openOrder },
};

for (const [name, path, text] of [
  ["home", "/portal", "Where the money is"],
  ["services", "/portal/services", "What you can use"],
  ["sms", "/portal/services/sms", "Send one and watch it arrive"],
  ["keys", "/portal/keys", "Your software says by a key"],
  ["orders", "/portal/orders", "Everything that was sent or bought"],
  ["team", "/portal/team", "Who works in"],
  ["you", "/portal/you", "How you get in"],
] as const)
  SHOWN[`${name}-loading`] = { path, text, instead: () => waiting };

/** Skeletons move for as long as they are there. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => {})))`;

/** The other two are for those who have time, or want their pictures. */
const isThorough = process.env.AFARA_TEST_LONG === "1" || process.env.AFARA_SHOTS_DIR !== undefined;
const LOOKS = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 360 },
  ...(isThorough ? [{ theme: "dark", width: 1280 } as const, { theme: "light", width: 360 } as const] : []),
] as const;

const foreign = ({ requested }: Opened): string[] =>
  requested.filter((url) => !url.startsWith(`${portal.gateway.base}/`));

/** What was done to a page may not last when its width changes, so it is opened for each look then. */
for (const [name, { path, text, instead, act, refused }] of Object.entries(SHOWN))
  test(`the page ${name} is read in both themes, wide and narrow, without an accessibility fault, a foreign request or a complaint`, {
    skip,
  }, async () => {
    for (const looks of act ? LOOKS.map((look) => [look]) : [LOOKS]) {
      const opened = await portal.open(path, { ...looks[0], instead: instead() });
      const { page, complaints } = opened;
      await page.getByText(text).filter({ visible: true }).first().waitFor();
      await act?.(page);
      if (act && act !== setFactorUp)
        await page.locator("[role=dialog], [role=menu]").filter({ visible: true }).first().waitFor();
      await page.waitForLoadState("load");
      for (const { theme, width } of looks) {
        await look(page, theme, width);
        await page.evaluate(SETTLED);
        await shoot(page, `${name}-${theme}-${width}`);
        assert.deepEqual(await faultsIn(page), []);
        const wide = await overflowOf(page);
        assert.ok(wide <= 0, `${wide} pixels beyond the right edge at ${width}`);
      }
      assert.deepEqual(foreign(opened), []);
      assert.deepEqual(
        complaints.filter((text) => !(refused && text.includes("Failed to load resource"))),
        [],
      );
      await page.close();
    }
  });

test("whoever is not signed in is led to the sign-in, and back to where he wanted to be", { skip }, async () => {
  let session: object = NOBODY;
  const instead: Instead = (route) => personWith(session)(route);
  const { page } = await portal.open("/portal/orders?status=rejected", { instead });
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("three words in a row");
  session = sessionOf("owner");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Orders" }).waitFor();
  await page.waitForURL(({ href }) => href === `${portal.gateway.base}/portal/orders?status=rejected`);
  await page.close();
});

test("an address behind `next` that is not ours is not followed", { skip }, async () => {
  let session: object = NOBODY;
  const instead: Instead = (route) => personWith(session)(route);
  const opened = await portal.open("/portal/sign-in?next=//evil.example/x", { instead });
  const { page } = opened;
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("three words in a row");
  session = sessionOf("owner");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Latest orders").waitFor();
  assert.deepEqual(foreign(opened), []);
  await page.close();
});

test("a viewer is offered no key, no plan and no sending", { skip }, async () => {
  const { page } = await portal.open("/portal/keys", { instead: as("viewer") });
  await page.getByText("revoked").waitFor();
  assert.equal(await page.getByRole("button", { name: "Create a key" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: /Actions on/ }).count(), 0);
  await page.getByRole("link", { name: "Services" }).click();
  await page.getByText("Cable TV").first().waitFor();
  assert.equal(await page.getByRole("button", { name: /^(Change|Choose)/ }).count(), 0);
  await page.getByRole("link", { name: "Try it: SMS" }).click();
  assert.ok(await page.getByRole("button", { name: "Send in test mode" }).isDisabled());
  await page.close();
});
