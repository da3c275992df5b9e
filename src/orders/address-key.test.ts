import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addressKey } from "../kernel/address.ts";
import { makeTestDatabase } from "../testing/database.ts";

const database = await makeTestDatabase();
const db = database.open();

test("the database compares addresses in the same form as the gateway", async () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 9 });
  const number = fc
    .tuple(
      fc.constantFrom("", "+", "0", "00", "009", "234", "+234", "2340", "00234", "009234", "0032348", "44", "+0"),
      fc.constantFrom("", "7", "8", "80", "70", "91", "803", "20"),
      digits,
    )
    .map((parts) => parts.join(""));
  const spaced = number.map((text) => text.replace(/(.{3})/g, "$1 "));
  const name = fc.string({ unit: fc.constantFrom(..."AbZ019 +-.()X\t"), maxLength: 12 });
  const addresses = fc.sample(fc.oneof(number, spaced, name), 5_000);
  const { rows } = await db.query<{ address: string; key: string }>(
    "select address, address_key(address) as key from unnest($1::text[]) a(address)",
    [addresses],
  );
  assert.equal(rows.length, addresses.length);
  assert.deepEqual(
    rows.filter(({ address, key }) => addressKey(address) !== key),
    [],
  );
});
