import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addressIn, believable } from "./forwarded.ts";

const ENTRIES: readonly (readonly [entry: string, address: string | undefined])[] = [
  ["203.0.113.10", "203.0.113.10"],
  ["203.0.113.10:40000", "203.0.113.10"],
  [' "203.0.113.10:40000" ', "203.0.113.10"],
  ["203.0.113.10:_gazonk", "203.0.113.10"],
  ["2001:DB8:0:0::1", "2001:db8::1"],
  ["2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:40000", "2001:db8::1"],
  ['"[2001:db8::1]:40000"', "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%25eth0]:443", "fe80::1"],
  ["::ffff:203.0.113.10", "203.0.113.10"],
  ["::FFFF:cb00:710a", "203.0.113.10"],
  ["0:0:0:0:0:ffff:203.0.113.10", "203.0.113.10"],
  ["::ffff:203.0.113.10:40000", "203.0.113.10"],
  ["[::ffff:203.0.113.10]:40000", "203.0.113.10"],
  ["unknown", undefined],
  ["_hidden", undefined],
  ["client.example.com", undefined],
  ["203.0.113.10:", undefined],
  ["203.0.113", undefined],
  ["203.0.113.256", undefined],
  ["0203.0.113.10", undefined],
  ["3405803786", undefined],
  ["[203.0.113.10", undefined],
  ["2001:db8:0:0:0:0:0:1:40000", undefined],
  ["for=203.0.113.10", undefined],
  ["203.0.113.10 203.0.113.11", undefined],
  ["", undefined],
];
for (const [entry, address] of ENTRIES)
  test(`${JSON.stringify(entry)} names ${address ?? "no address"}`, () => {
    assert.equal(addressIn(entry), address);
  });

const HEADERS: readonly (readonly [header: string, believed: string])[] = [
  ["203.0.113.10:40000", "203.0.113.10"],
  ["198.51.100.1, 203.0.113.10:40000,10.0.0.2:80", "198.51.100.1, 203.0.113.10, 10.0.0.2"],
  ["unknown, 203.0.113.10", "203.0.113.10"],
  ["198.51.100.1, unknown, 203.0.113.10", "203.0.113.10"],
  ["203.0.113.10, _hidden", ""],
  ["203.0.113.10,", ""],
  ["", ""],
];
for (const [header, believed] of HEADERS)
  test(`of ${JSON.stringify(header)} is believed ${JSON.stringify(believed)}`, () => {
    assert.equal(believable(header), believed);
  });

test("whatever a header holds, what is believed of it is addresses alone, and reading it again changes nothing", () => {
  const part = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV6().map((address) => `[${address}]:1`),
    fc.string(),
    fc.constant("unknown"),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const believed = believable(parts.join(","));
      assert.equal(believable(believed), believed);
      for (const entry of believed === "" ? [] : believed.split(", ")) assert.equal(addressIn(entry), entry);
    }),
  );
});
