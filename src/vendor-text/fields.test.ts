import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExactJson } from "./exact-json.ts";
import { factIn, membersIn, textOf } from "./fields.ts";

test("a text that nobody can see says nothing", () => {
  for (const text of [
    "",
    " ",
    "\u202e\u200b",
    "\u00ad",
    "\u0000",
    "\u00a0",
    "\ufeff",
    "\u200d\ufe0f",
    "\u3164",
    "N/A",
    "null",
  ])
    assert.equal(textOf({ name: text }, ["name"]), undefined, JSON.stringify(text));
  assert.equal(textOf({ name: "\u200b", Name: " ADA " }, ["name", "Name"]), "ADA");
});

test("a text turns no direction of reading", () => {
  assert.equal(textOf({ name: "ADA \u202eIBO\u202c \u2066X\u2069" }, ["name"]), "ADA IBO X");
  assert.equal(textOf({ name: "Ọláńrewájú 👩‍👧" }, ["name"]), "Ọláńrewájú 👩‍👧");
});

test("all that an answer says is found with its name, however deep it stands", () => {
  const value = { a: "1", b: [{ c: "2", id: "n/a" }, ["4", null, true]], id: { d: "" } };
  const found = membersIn(value).map(({ name, within, text }) => `${within}.${name}: ${text}`);
  assert.deepEqual(found.sort(), [".a: 1", ".b: 4", ".b: true", "b.c: 2"]);
  const deep = parseExactJson(`${"[".repeat(2_000)}"x"${"]".repeat(2_000)}`);
  assert.deepEqual(membersIn(deep), [{ name: "", within: "", text: "x" }]);
  const wide = parseExactJson(`{${Array.from({ length: 200_000 }, (_, at) => `"${at}":""`).join(",")}}`);
  assert.deepEqual(membersIn(wide), []);
});

test("a field that is not filled in is no fact, and the next name for it counts", () => {
  for (const text of [
    "",
    "N/A",
    "NULL",
    "none",
    "undefined",
    "Not Available",
    "0",
    "0.00",
    "00",
    "-",
    "---",
    ".",
    " , ",
    "****",
  ])
    assert.equal(factIn({ address: text, Address: "1 Sample Close" }, ["address", "Address"]), "1 Sample Close", text);
  for (const text of ["52", "A", "R2", "0124000952992", "10.5", "No 0, Sample Close"])
    assert.equal(factIn({ tariff: text }, ["tariff"]), text);
});
