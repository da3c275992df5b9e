import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addressKey } from "../kernel/address.ts";
import { makeTestDatabase } from "../testing/database.ts";

const database = await makeTestDatabase();
const db = database.open();

/** White space of every kind, dashes, marks without a width, and their neighbours that are none of these. */
const AROUND = [
  ..."\t\n\v\f\r\x1c\x1f \x85\u00a0\u1680\u180e\u3000\u3001\ufeff\ufefe",
  ...Array.from({ length: 0x80 }, (_, index) => String.fromCharCode(0x1ff8 + index)),
];

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
  const around = fc.string({ unit: fc.constantFrom(...AROUND), maxLength: 3 });
  const wrapped = fc.tuple(around, fc.oneof(number, spaced, name), around).map((parts) => parts.join(""));
  // Of whole characters, but NUL: half of a pair and NUL are no text to the database.
  const any = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.toWellFormed().replaceAll("\0", ""));
  const letters = fc.string({ unit: fc.constantFrom(..."ÉéẸÀÇŞİıßΣςДAZaz1 "), maxLength: 8 });
  const addresses = fc.sample(fc.oneof(number, spaced, name, wrapped, any, letters), 8_000);
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
