import assert from "node:assert/strict";
import { test } from "node:test";
import { type InteractiveRequest, readInteractive } from "./interactive.ts";

const row = (id: string) => ({ id, title: "10 GB" });
const rows = (count: number, prefix = "r") => Array.from({ length: count }, (_, index) => row(`${prefix}${index}`));
const buttons = [
  { id: "a", title: "Again" },
  { id: "b", title: "Other" },
];
const link = { label: "Open", url: "https://portal.example.ng" };

const FAULTS: readonly (readonly [what: string, request: InteractiveRequest, places: readonly string[]])[] = [
  ["its own field is missing", { type: "buttons", body: "b" }, ["/buttons required"]],
  ["another kind's field is there", { type: "buttons", body: "b", buttons, cta_url: link }, ["/cta_url unknown_field"]],
  ["its body is blank", { type: "buttons", body: " \n", buttons }, ["/body too_short"]],
  [
    "its header and footer are blank",
    { type: "buttons", body: "b", header: " ", footer: " ", buttons },
    ["/header too_short", "/footer too_short"],
  ],
  [
    "two buttons have the same id",
    {
      type: "buttons",
      body: "b",
      buttons: [
        { id: "a", title: "A" },
        { id: "a", title: "B" },
      ],
    },
    ["/buttons/1/id repeated"],
  ],
  [
    "two buttons have the same title",
    {
      type: "buttons",
      body: "b",
      buttons: [
        { id: "a", title: "A" },
        { id: "b", title: "A" },
      ],
    },
    ["/buttons/1/title repeated"],
  ],
  [
    "two buttons look the same, one has nothing to be seen and one two lines",
    {
      type: "buttons",
      body: "b",
      buttons: [
        { id: "a", title: "A" },
        { id: "b", title: "A " },
        { id: "c", title: "\u200b" },
      ],
    },
    ["/buttons/1/title repeated", "/buttons/2/title too_short"],
  ],
  [
    "labels of a list are blank, or have a line break",
    { type: "list", body: "b", list: { button: " ", sections: [{ title: " ", rows: [{ id: "r", title: "a\nb" }] }] } },
    ["/list/button too_short", "/list/sections/0/title too_short", "/list/sections/0/rows/0/title wrong_format"],
  ],
  [
    "the address has a tab in it, which a browser would drop",
    { type: "cta_url", body: "b", cta_url: { label: " ", url: "ht\ttps://a.example.ng" } },
    ["/cta_url/label too_short", "/cta_url/url wrong_format"],
  ],
  [
    "it has more than ten rows over its sections",
    {
      type: "list",
      body: "b",
      list: {
        button: "x",
        sections: [
          { title: "1", rows: rows(6) },
          { title: "2", rows: rows(5, "s") },
        ],
      },
    },
    ["/list/sections too_many"],
  ],
  [
    "one of several sections has no title",
    {
      type: "list",
      body: "b",
      list: { button: "x", sections: [{ title: "1", rows: rows(1) }, { rows: rows(1, "s") }] },
    },
    ["/list/sections/1/title required"],
  ],
  [
    "rows of two sections have the same id",
    {
      type: "list",
      body: "b",
      list: {
        button: "x",
        sections: [
          { title: "1", rows: rows(1) },
          { title: "2", rows: rows(1) },
        ],
      },
    },
    ["/list/sections/1/rows/0/id repeated"],
  ],
  [
    "its link is not https",
    { type: "cta_url", body: "b", cta_url: { label: "x", url: "http://portal.example.ng" } },
    ["/cta_url/url wrong_format"],
  ],
  [
    "its link is no address",
    { type: "cta_url", body: "b", cta_url: { label: "x", url: "portal" } },
    ["/cta_url/url wrong_format"],
  ],
  [
    "several things are wrong, all at once",
    { type: "list", body: " ", buttons },
    ["/buttons unknown_field", "/list required", "/body too_short"],
  ],
];
for (const [what, request, places] of FAULTS) {
  test(`an interactive message is refused when ${what}`, () => {
    const read = readInteractive(request);
    assert.ok(!read.ok);
    assert.deepEqual(
      read.error.map(({ pointer, code }) => `${pointer} ${code}`),
      places,
    );
  });
}

test("the body of a list has up to 4,096 characters, above buttons and a link up to 1,024", () => {
  const list = (body: string) =>
    ({ type: "list", body, list: { button: "x", sections: [{ rows: rows(1) }] } }) as const;
  const pressed = (body: string) => ({ type: "buttons", body, buttons }) as const;
  const linked = (body: string) => ({ type: "cta_url", body, cta_url: link }) as const;
  for (const [make, most] of [
    [list, 4_096],
    [pressed, 1_024],
    [linked, 1_024],
  ] as const) {
    assert.ok(readInteractive(make("₦".repeat(most))).ok);
    assert.ok(readInteractive(make("🎉".repeat(most))).ok, "as people count");
    const tooLong = readInteractive(make("b".repeat(most + 1)));
    assert.deepEqual(!tooLong.ok && tooLong.error.map(({ pointer, code }) => `${pointer} ${code}`), ["/body too_long"]);
  }
});

test("each kind of interactive message is taken as it is asked for", () => {
  for (const request of [
    { type: "buttons", body: "b", buttons } as const,
    { type: "list", body: "b", list: { button: "x", sections: [{ rows: rows(10) }] } } as const,
    { type: "cta_url", body: "b", footer: "f", cta_url: link } as const,
  ]) {
    const read = readInteractive(request);
    assert.ok(read.ok, JSON.stringify(read));
    assert.equal(read.value.action.kind, request.type);
  }
});
