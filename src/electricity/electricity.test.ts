import assert from "node:assert/strict";
import { test } from "node:test";
import { kobo } from "../kernel/kobo.ts";
import { boundsOf, boundsOfMeter } from "./electricity.ts";

const DISCO = "ikeja-electric";
const { minimumKobo: LEAST, maximumKobo: MOST } = boundsOf(DISCO);
const more = kobo(MOST + 100n);
const less = kobo(LEAST - 100n);
const between = kobo(LEAST + 500n);

for (const [what, told, bounds] of [
  ["nothing", {}, [LEAST, MOST]],
  ["both", { minimumKobo: less, maximumKobo: more }, [less, more]],
  ["a minimum that debt pushed above the disco's maximum", { minimumKobo: more }, [more, MOST]],
  ["a minimum that debt pushed above its own maximum", { minimumKobo: more, maximumKobo: between }, [more, between]],
  ["a small meter's bounds", { minimumKobo: kobo(100n), maximumKobo: less }, [kobo(100n), less]],
  ["a maximum that no meter of the disco has", { minimumKobo: between, maximumKobo: less }, [between, MOST]],
  ["nothing but a maximum that no meter of the disco has", { maximumKobo: less }, [LEAST, MOST]],
] as const)
  test(`a meter of which a vendor told ${what} never seems to take less than the vendor does`, () => {
    const { minimumKobo, maximumKobo } = boundsOfMeter(DISCO, told);
    assert.deepEqual([minimumKobo, maximumKobo], bounds);
  });
