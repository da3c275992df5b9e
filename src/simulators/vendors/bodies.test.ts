import assert from "node:assert/strict";
import { test } from "node:test";
import { readBody } from "./bodies.ts";

const FORM = "application/x-www-form-urlencoded; charset=utf-8";

const READ: readonly (readonly [what: string, type: string, body: string, read: unknown])[] = [
  ["JSON", "application/json", '{"a":1}', { a: 1 }],
  ["JSON without a type", "", '{"a":1}', { a: 1 }],
  ["JSON under a form's type", FORM, '{"a":1}', { a: 1 }],
  ["a form", FORM, "a=1&b=x+y%26z", { a: "1", b: "x y&z" }],
  ["an object in a form", FORM, "a[b]=1&a[c][d]=2", { a: { b: "1", c: { d: "2" } } }],
  ["lists in a form", FORM, "a[]=1&a[]=2&b[0]=3&b[1]=4", { a: ["1", "2"], b: ["3", "4"] }],
  ["a form whose brackets are escaped", FORM, "a%5Bb%5D=1", { a: { b: "1" } }],
  ["brackets that do not fit", FORM, "a[b=1&[c]=2", { "a[b": "1", "[c]": "2" }],
  ["a field that is a text and an object", FORM, "a=1&a[b]=2", { a: { b: "2" } }],
  ["a prototype's name", FORM, "__proto__[x]=1", JSON.parse('{"__proto__":{"x":"1"}}')],
  ["nothing", FORM, "", undefined],
  ["what is neither", "application/json", "a=1", undefined],
  ["another type", "text/plain", "hello", undefined],
];
for (const [what, type, body, read] of READ)
  test(`${what} is read`, () => {
    assert.deepEqual(readBody(type, Buffer.from(body)), read);
    assert.equal(({} as { x?: unknown }).x, undefined);
  });

test("a form of multipart/form-data is read without its files", async () => {
  const form = new FormData();
  form.set("a[b]", "1");
  form.set("file", new Blob(["x"]), "x.txt");
  const request = new Request("http://127.0.0.1/", { method: "POST", body: form });
  const bytes = Buffer.from(await request.arrayBuffer());
  assert.deepEqual(readBody(request.headers.get("content-type") ?? "", bytes), { a: { b: "1" } });
});
