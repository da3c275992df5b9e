import assert from "node:assert/strict";
import { test } from "node:test";
import { whyNotTurnedAway } from "./auth-refusal.ts";

const REFERENCE = "202610031407aaaaaaaaaaaaaaaa";

for (const text of [
  "",
  " \n",
  "<html><script>var a = {};</script><path d='M1234 5678 9012 3456 7890'></html>",
  "Unauthorized",
  "error code: 1020",
  '"Invalid Credentials."',
  "null",
  "[]",
  '{"message":"Unauthenticated."}',
  '{"statusCode":401,"error":"Unauthorized","message":"parameters"}',
  '{"status":401,"success":false}',
  '{"status":"error","data":null}',
])
  test(`a call that is answered ${JSON.stringify(text)} went no further`, () => {
    assert.equal(whyNotTurnedAway(401, text, REFERENCE), undefined);
  });

for (const [text, why] of [
  [`<html>${REFERENCE}</html>`, "it names our reference"],
  ['{"status":"delivered"}', 'it has "status"'],
  ['{"status":200}', 'it has "status"'],
  ['{"success":true}', 'it has "success"'],
  ['{"content":{"transactions":[{"id":1}]}}', 'it has "id"'],
  ['{"data":{"units":"12.8"}}', 'it has "units"'],
  ['{"words":"1234-5678-9012-3456-7890"}', "it has a token"],
  ["sold 1234 5678 9012 3456 7890", "it has a token"],
  ['{"message":"no', "it can't be read"],
  ['{"message":"no","message":"yes"}', "it can't be read"],
  ["[1, 2", "it can't be read"],
] as const)
  test(`a call that is answered ${text} may have gone further: ${why}`, () => {
    assert.equal(whyNotTurnedAway(401, text, REFERENCE), why);
  });
