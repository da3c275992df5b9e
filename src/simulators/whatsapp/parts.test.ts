import assert from "node:assert/strict";
import { test } from "node:test";
import { fill } from "./filling.ts";
import { isFault } from "./rendering.ts";
import type { Component, Template } from "./templates.ts";

const BODY: Component = { type: "BODY", text: "Look." };
const button = (type: string): Component => ({ type: "BUTTONS", buttons: [{ type, text: "Go" }] });
const given = (type: string, parameter: object) => ({
  type: "button",
  sub_type: type,
  index: "0",
  parameters: [parameter],
});

/** What Meta refuses where nothing is given, and takes once it is. Source: Meta, “Error codes”, and its pages on each part. */
const PARTS: readonly (readonly [what: string, part: Component, code: number, given: object])[] = [
  ["a carousel", { type: "CAROUSEL", cards: [{}, {}] }, 132012, { type: "carousel", cards: [{}, {}] }],
  [
    "a GIF",
    { type: "HEADER", format: "GIF" },
    132012,
    { type: "header", parameters: [{ type: "gif", gif: { id: "1" } }] },
  ],
  [
    "a place",
    { type: "HEADER", format: "LOCATION" },
    132012,
    { type: "header", parameters: [{ type: "location", location: {} }] },
  ],
  [
    "a limited-time offer",
    { type: "LIMITED_TIME_OFFER", limited_time_offer: { has_expiration: true } },
    132012,
    {
      type: "limited_time_offer",
      parameters: [{ type: "limited_time_offer", limited_time_offer: { expiration_time_ms: 1_790_000_000_000 } }],
    },
  ],
  ["a coupon", button("COPY_CODE"), 131008, given("copy_code", { type: "coupon_code", coupon_code: "BERRIES20" })],
  ["a flow", button("FLOW"), 131008, given("flow", { type: "action", action: {} })],
  ["several products", button("MPM"), 131008, given("mpm", { type: "action", action: {} })],
  ["an order to pay", button("ORDER_DETAILS"), 131008, given("order_details", { type: "action", action: {} })],
  ["a part of later", { type: "HOLOGRAM" }, 132012, { type: "hologram", parameters: [] }],
];
for (const [what, component, code, parameters] of PARTS)
  test(`${what} that nothing is given for is refused with ${code}, and taken once it is given`, () => {
    const template = { name: "one", language: "en_US", status: "APPROVED", parameter_format: "POSITIONAL" };
    const filled = (given: readonly object[]) =>
      fill({ ...template, components: [BODY, component] } as unknown as Template, given, () => true);
    const missing = filled([]);
    assert.ok(isFault(missing));
    assert.equal(missing.code, code);
    assert.ok(!isFault(filled([parameters])), JSON.stringify(filled([parameters])));
  });
