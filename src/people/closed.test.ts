import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { makeTestDatabase } from "../testing/database.ts";
import { GOOD_PASSWORD, makePeopleRig, newEmail } from "../testing/people-rig.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

const OURS = [
  "/sign-up/email",
  "/sign-in/email",
  "/sign-out",
  "/send-verification-email",
  "/verify-email",
  "/request-password-reset",
  "/reset-password",
  "/change-password",
  "/revoke-session",
  "/revoke-other-sessions",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
  "/two-factor/verify-totp",
  "/two-factor/verify-backup-code",
];
const MEMBERS = ["invite-member", "cancel-invitation", "update-member-role", "remove-member", "accept-invitation"];

test("of better-auth's endpoints those are there that the portal uses, and no other", async () => {
  const [{ betterAuth }, { twoFactor, organization }] = await Promise.all([
    import("better-auth"),
    import("better-auth/plugins"),
  ]);
  const { api } = betterAuth({
    baseURL: "http://localhost",
    secret: "a secret that is long enough for a library of a test",
    plugins: [twoFactor(), organization()],
    logger: { disabled: true },
  });
  const paths = new Set(Object.values(api).flatMap(({ path }) => path ?? []));
  for (const path of ["/organization/create", "/delete-user", "/update-user", "/sign-in/social", "/get-session"])
    assert.ok(paths.has(path), path);
  const served = rig.app.edge.routes
    .map(({ url }) => url)
    .filter((url) => url.startsWith("/portal/api/auth/"))
    .map((url) => url.slice("/portal/api/auth".length));
  assert.deepEqual(
    [...paths].filter((path) => served.includes(path) && path.startsWith("/organization/") === false).toSorted(),
    [...OURS, "/list-sessions"].toSorted(),
  );
  const browser = rig.browser();
  await browser.join();
  for (const path of paths)
    if (!served.includes(path))
      for (const method of ["GET", "POST"] as const) {
        const { status } = await browser.ask(method, `/portal/api/auth${path.replace(/:\w+/g, "x")}`);
        assert.ok(status === 404 || status === 405, `${method} ${path}: ${status}`);
      }
});

test("no body brings about more than a refusal", async () => {
  const browser = rig.browser();
  const { email } = await browser.join();
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.constantFrom(
      email,
      newEmail(),
      GOOD_PASSWORD,
      "x@y.z",
      "ü@exämple.ng",
      "a".repeat(3_000),
      "' or 1=1 --",
      "..",
      "\u0000",
    ),
  );
  const value = fc.oneof({ weight: 5, arbitrary: text }, fc.jsonValue({ maxDepth: 2 }));
  const fields =
    "name email password token newPassword currentPassword code callbackURL redirectTo id organizationId role memberId invitationId";
  const body = fc.dictionary(fc.constantFrom(...fields.split(" ")), value, { maxKeys: 6 });
  let address = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        ...OURS.filter((path) => path !== "/sign-out"),
        ...MEMBERS.map((name) => `/organization/${name}`),
      ),
      body,
      async (path, given) => {
        const stranger = rig.browser(`10.9.${Math.floor(++address / 250)}.${address % 250}`);
        for (const by of [browser, stranger]) {
          const { status, text: answered } = await by.post(path, given);
          assert.ok(status >= 200 && status < 500, `${path} ${JSON.stringify(given)}: ${status} ${answered}`);
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** Bodies that fit the form, with values that the library has to look at. */
test("no value of the right form brings about more than a refusal", async () => {
  const browser = rig.browser();
  await browser.join();
  const odd = ["x", "😀".repeat(64), "ẹ̀".repeat(40), "%00%ff", "a.b.c", "..", "'", '"', "\\", "0"];
  for (const word of odd) {
    const long = word.padEnd(12, "q");
    for (const [path, body] of [
      ["/verify-email", { token: word }],
      ["/reset-password", { token: word, newPassword: `${long} and more` }],
      ["/sign-in/email", { email: newEmail(), password: word }],
      ["/change-password", { currentPassword: word, newPassword: `${long} and more` }],
      ["/two-factor/verify-totp", { code: word.slice(0, 40) }],
      ["/two-factor/verify-backup-code", { code: word.slice(0, 40) }],
      ["/two-factor/enable", { password: word }],
    ] as const) {
      const { status, text } = await browser.post(path, body);
      assert.ok(status >= 400 && status < 500, `${path} ${word}: ${status} ${text}`);
      rig.clock.advance(15 * 60_000); // what is counted begins anew
      await browser.session();
    }
  }
});
