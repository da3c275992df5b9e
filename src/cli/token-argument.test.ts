import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { keyChangeFault, readTokens } from "./token-argument.ts";

const read = (texts: readonly string[], input = "") => readTokens(texts, { readInput: async () => input });

const ONE = "12345678901234567890";
const OTHER = "09876543210987654321";

test("tokens are read in their order, with their kind, from the arguments and from the lines of the standard input", async () => {
  const all = [
    { kind: "kct1", value: OTHER },
    { kind: "credit", value: ONE },
  ];
  assert.deepEqual(await read([`kct1:${OTHER}`, "1234-5678-9012-3456-7890"]), all);
  assert.deepEqual(await read(["-"], `\nkct1: 0987 6543 2109 8765 4321\r\n  ${ONE}  \n\n`), all);
  assert.deepEqual(await read([`kct1:${OTHER}`, "-"], ONE), all, "without a line's end");
  assert.deepEqual(await read([]), [], "nothing is waited for");
});

const SAME: readonly (readonly [what: string, texts: readonly string[], input?: string])[] = [
  ["spelled alike", [ONE, ONE]],
  ["with spaces and with dashes", ["1234 5678 9012 3456 7890", "1234-5678-9012-3456-7890"]],
  ["as another kind", [`kct1:${ONE}`, OTHER, `credit:${ONE}`]],
  ["a voucher in two cases of letters", ["SHMVHXQ9L3RXGPU", "shmv-hxq9-l3rx-gpu"]],
  ["on two lines", ["-"], `${ONE}\n1234 5678 9012 3456 7890\n`],
  ["as an argument and on a line", [ONE, "-"], ONE],
  ["as the same lines twice", ["-", "-"], ONE],
];
for (const [what, texts, input] of SAME)
  test(`the same token given twice is refused: ${what}`, async () => {
    await assert.rejects(read(texts, input), (error: Error) => {
      assert.match(error.message, /Tokens 1 and [23] are the same.*give each one once/);
      return !error.message.includes("1234");
    });
  });

test("what is no token is refused by its place, and its digits are not repeated", async () => {
  for (const [texts, input, told] of [
    [[ONE, "9876 5432"], "", /^Token 2 is not a token: a token is 20 digits/],
    [["-"], `${ONE}\n9876 5432`, /^Token 2 is not a token/],
    [[`kct3:${OTHER}`], "", /^Token 1 has an unknown kind: .*credit, bonus, kct1, kct2/],
    [["-"], " \n", /^Standard input has no token/],
  ] as const)
    await assert.rejects(read(texts, input), (error: Error) => told.test(error.message) && !/987/.test(error.message));
});

test("a token without a kind is of the first kind that is paid for and that it can be", async () => {
  assert.deepEqual(await read([ONE, "SHMVHXQ9L3RXGPU", "voucher:SHM1-2345-678"]), [
    { kind: "credit", value: ONE },
    { kind: "voucher", value: "SHMVHXQ9L3RXGPU" },
    { kind: "voucher", value: "SHM1-2345-678" },
  ]);
  await assert.rejects(read(["voucher:SHM"]), /Token 1 is not a token: a voucher is/);
});

test("of a key change both parts are given, once each, or none", () => {
  const fault = (...kinds: readonly ("credit" | "bonus" | "kct1" | "kct2")[]) =>
    keyChangeFault(kinds.map((kind) => ({ kind })));
  for (const kinds of [["credit"], ["kct1", "kct2", "credit"], ["credit", "kct2", "kct1", "bonus"]] as const)
    assert.equal(fault(...kinds), undefined);
  assert.match(fault("kct1", "credit") ?? "", /both or none: there is 1 kct1 and 0 kct2\. Ask the vendor/);
  assert.match(fault("credit", "kct2") ?? "", /there are 0 kct1 and 1 kct2\./);
  assert.match(fault("kct1", "kct1", "credit") ?? "", /there are 2 kct1 and 0 kct2\./);
  assert.match(fault("kct1", "kct1", "kct2", "kct2", "credit") ?? "", /there are 2 kct1 and 2 kct2\./);
});

test("the command reads its standard input for --token -, and tells a wrong token to nobody", () => {
  const resolve = ["orders", "resolve", "pur_01k9z3v1h8e4rb2m6t0c5w7xyd", "--as", "successful", "--proof", "by phone"];
  const run = (token: string, input: string) => {
    const args = [join(import.meta.dirname, "main.ts"), ...resolve, "--token", token, "--json"];
    return spawnSync(process.execPath, args, { input, encoding: "utf8" });
  };
  for (const { status, stdout, stderr } of [run("-", `${ONE}\n9876 5432\n`), run("9876 5432", "")]) {
    assert.equal(status, 2);
    assert.match(stderr, /^Token [12] is not a token/);
    assert.match(stdout, /"code": "cannot_run"/);
    assert.doesNotMatch(stdout + stderr, /9876|1234/);
  }
});
