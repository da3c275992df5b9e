import assert from "node:assert/strict";
import { test } from "node:test";
import { BOUQUETS, validityDays } from "./bouquets.ts";

/** Names of the vendor's pages and of public price lists: docs/providers/vtpass.md. */
const NAMES = [
  ["DStv Padi N1,850", "dstv padi", null],
  ["DStv  Compact N7900", "dstv compact", null],
  ["DStv Compact + French Touch + ExtraView N12,700", "dstv compact + french touch + extraview", null],
  ["DStv Box Office", "dstv box office", null],
  ["DStv Premium W/Afr + Showmax N37,000", "dstv premium w afr + showmax", null],
  ["DStv French 11 N3,260", "dstv french 11", null],
  ["GOtv Lite (3 Months) N1,080", "gotv lite 3 months", 90],
  ["GOtv Lite (1 Year) N3,180", "gotv lite 1 year", 365],
  ["GOtv Smallie - monthly N1900", "gotv smallie monthly", 30],
  ["GOtv Smallie - yearly N15,000", "gotv smallie yearly", 365],
  ["GOtv Smallie - quarterly N5,100", "gotv smallie quarterly", 90],
  ["Nova - 90 Naira - 1 Day", "nova 1 day", 1],
  ["Classic (Dish) - 2300 Naira - 1 Week", "classic dish 1 week", 7],
  ["Global (Dish) - 6500 Naira - 1Week", "global dish 1week", 7],
  ["Chinese (Dish) - 19,000 Naira - 1 month", "chinese dish 1 month", 30],
  ["Sports Only - N3,200", "sports only", null],
  ["Full - 6 months - 14,700", "full 6 months", 180],
  ["Full Sports Mobile Only - 3 months - N16,200", "full sports mobile only 3 months", 90],
] as const;

test("a bouquet's name gives its title without the price, and its validity where it states one", () => {
  for (const [name, title, days] of NAMES) {
    const facts = BOUQUETS.read(name);
    assert.deepEqual([facts.title, validityDays(facts)], [title, days], name);
  }
});

test("a new price makes no other bouquet, another time or title does", () => {
  const isSame = (one: string, other: string) => BOUQUETS.isSame(BOUQUETS.read(one), BOUQUETS.read(other));
  assert.ok(isSame("DStv Padi N1,850", "DStv Padi N4,400"));
  assert.ok(isSame("DStv  Compact N7900", "DStv Compact - ₦19,000"));
  assert.ok(!isSame("GOtv Lite (3 Months) N1,080", "GOtv Lite (1 Year) N1,080"));
  assert.ok(!isSame("DStv Compact N19,000", "DStv Compact Plus N19,000"));
  assert.ok(!isSame("DStv Compact", "DStv Compact + ExtraView"));
});
