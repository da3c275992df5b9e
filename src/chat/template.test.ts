import assert from "node:assert/strict";
import { test } from "node:test";
import type { VendorTemplate } from "../ports/chat-payload.ts";
import { fillTemplate, placeholdersOf, type Variables } from "./template.ts";

const template = (more: Partial<VendorTemplate> = {}): VendorTemplate => ({
  name: "order_update",
  language: "en_US",
  category: "utility",
  status: "approved",
  body: "Hello {{1}}, your order {{2}} is ready.",
  buttons: [],
  isNamed: false,
  ...more,
});

const RECEIPT = template({
  header: { kind: "text", text: "Receipt {{1}}" },
  body: "Your receipt of {{1}}.",
  buttons: [
    { index: 0, kind: "quick_reply", text: "Thanks" },
    { index: 1, kind: "url", text: "Open", url: "https://portal.example.ng/r/{{1}}" },
    { index: 2, kind: "url", text: "Shop", url: "https://portal.example.ng" },
  ],
});
const PICTURE = template({ header: { kind: "image" }, body: "Hi {{1}}." });
const CODE = template({
  category: "authentication",
  body: "*{{1}}* is your code.",
  buttons: [{ index: 0, kind: "url", text: "Copy", url: "https://www.whatsapp.com/otp/code/?code=otp{{1}}" }],
});
const NAMED = template({ body: "Hello {{first_name}}, {{item}} comes on {{day}}, {{first_name}}.", isNamed: true });

const FAULTS: readonly (readonly [
  what: string,
  template: VendorTemplate,
  given: Variables,
  places: readonly string[],
])[] = [
  ["too few variables", template(), { body: ["Ada"] }, ["/variables/body"]],
  ["too many variables", template(), { body: ["Ada", "1", "2"] }, ["/variables/body"]],
  ["none of its variables", template(), {}, ["/variables/body"]],
  ["variables for a header that has none", template(), { header: ["x"], body: ["Ada", "1"] }, ["/variables/header"]],
  ["an empty variable", template(), { body: ["Ada", " "] }, ["/variables/body/1"]],
  ["a line break", template(), { body: ["Ada\nB", "1"] }, ["/variables/body/0"]],
  ["a tab", template(), { body: ["Ada\tB", "1"] }, ["/variables/body/0"]],
  ["more than four spaces in a row", template(), { body: ["Ada     B", "1"] }, ["/variables/body/0"]],
  [
    "several faults, all at once",
    RECEIPT,
    { header: [""], body: ["a", "b"], buttons: ["x y"] },
    ["/variables/body", "/variables/header/0", "/variables/buttons/0"],
  ],
  ["no end for the link of its button", RECEIPT, { header: ["1"], body: ["1"] }, ["/variables/buttons"]],
  [
    "the button's variable among those of the body",
    RECEIPT,
    { header: ["1"], body: ["1", "1"] },
    ["/variables/body", "/variables/buttons"],
  ],
  ["no file for its picture", PICTURE, { body: ["Ada"] }, ["/variables/header"]],
  ["a body that becomes too long", template(), { body: ["a".repeat(1_000), "1"] }, ["/variables/body"]],
  [
    "a header that becomes too long",
    RECEIPT,
    { header: ["a".repeat(60)], body: ["1"], buttons: ["1"] },
    ["/variables/header"],
  ],
  [
    "a place on the map as its header",
    template({ header: { kind: "location" } }),
    { header: ["x"], body: ["Ada", "1"] },
    ["/variables/header"],
  ],
];
for (const [what, which, given, places] of FAULTS) {
  test(`a template is refused with ${what}`, () => {
    const filled = fillTemplate(which, given);
    assert.ok(!filled.ok, JSON.stringify(filled));
    assert.deepEqual(
      filled.error.map(({ pointer }) => pointer),
      places,
    );
    assert.ok(filled.error.every(({ code }) => code === "template_variables_mismatch"));
  });
}

test("a template with a part that can't be filled in is refused for that alone, and says what to do", () => {
  const filled = fillTemplate(template({ unknownParts: ["carousel", "gif header"] }), {});
  assert.ok(!filled.ok);
  assert.deepEqual(
    filled.error.map(({ pointer, code }) => [pointer, code]),
    [["/template", "template_variables_mismatch"]],
  );
  assert.match(filled.error[0]!.detail, /carousel, gif header.*Send one of/);
});

test("a template that is nothing but a body may be longer than one with other parts", () => {
  const long = { body: ["a".repeat(20_000), "1"] };
  assert.ok(!fillTemplate(template(), long).ok);
  assert.ok(fillTemplate(template({ isBodyOnly: true }), long).ok);
  assert.ok(!fillTemplate(template({ isBodyOnly: true }), { body: ["a".repeat(32_768), "1"] }).ok);
});

test("four spaces in a row are allowed", () => {
  assert.ok(fillTemplate(template(), { body: ["Ada    B", "1"] }).ok);
});

test("header, body and buttons go where the template has them", () => {
  const filled = fillTemplate(RECEIPT, { header: ["4471"], body: ["June"], buttons: ["r9"] });
  assert.deepEqual(filled, {
    ok: true,
    value: {
      type: "template",
      name: "order_update",
      language: "en_US",
      header: ["4471"],
      body: ["June"],
      buttons: [{ index: 1, kind: "url", value: "r9" }],
    },
  });
});

test("the file of a header is named with its kind", () => {
  const filled = fillTemplate(PICTURE, { header: ["https://cdn.example.ng/a.png"], body: ["Ada"] });
  assert.ok(filled.ok);
  assert.deepEqual(filled.value.headerFile, { kind: "image", source: "https://cdn.example.ng/a.png" });
});

test("the code of an authentication template is given once and goes into its button too", () => {
  assert.deepEqual(placeholdersOf(CODE).buttons, []);
  const filled = fillTemplate(CODE, { body: ["123456"] });
  assert.ok(filled.ok);
  assert.deepEqual(filled.value.buttons, [{ index: 0, kind: "url", value: "123456" }]);
});

test("named placeholders are given in the order in which they first come, each once", () => {
  assert.deepEqual(
    placeholdersOf(NAMED).body.map((place) => place.kind === "text" && place.name),
    ["first_name", "item", "day"],
  );
  const filled = fillTemplate(NAMED, { body: ["Ada", "It", "Monday"] });
  assert.ok(filled.ok);
  assert.deepEqual(filled.value.names, { header: [], body: ["first_name", "item", "day"] });
});

test("numbered placeholders are given by number, wherever they stand", () => {
  const places = placeholdersOf(template({ body: "{{10}} {{2}} {{1}} {{2}}" })).body;
  assert.deepEqual(
    places.map((place) => place.kind === "text" && place.name),
    ["1", "2", "10"],
  );
});
