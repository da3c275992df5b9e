import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { accountOf, GOOD_PASSWORD, makePeopleRig, newEmail } from "../testing/people-rig.ts";

const database = await makeTestDatabase();
const db = database.open();
const rig = await makePeopleRig(database, db);
after(() => rig.part.close());

test("who signs up and opens the mail's link is signed in, and owns an account with play money", async () => {
  const browser = rig.browser();
  const { email, session } = await browser.join("Ada Obi");
  assert.equal(session.person?.email, email);
  assert.match(session.person!.id, /^usr_/);
  assert.partialDeepStrictEqual(session, {
    object: "session",
    person: { name: "Ada Obi", email_verified: true, two_factor: false },
    accounts: [{ name: "Ada Obi", role: "owner" }],
    gateway: { local: true, sign_up: "open" },
  });
  const { rows } = await db.query<{ kobo: bigint }>(
    "select credits_posted - debits_posted as kobo from ledger_accounts where account_id = $1 and kind = 'wallet' and mode = 'test'",
    [await accountOf(db, email)],
  );
  assert.equal(rows[0]?.kobo, 100_000n);
});
