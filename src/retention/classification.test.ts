import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SERVICES } from "../app/services.ts";
import { PURGED_PHONE } from "../kernel/purged.ts";
import { withoutPersonalData } from "../orders/personal-data.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const schema = readFileSync(join(ROOT, "migrations", "schema.sql"), "utf8");
const page = readFileSync(join(ROOT, "docs", "operations", "personal-data.md"), "utf8");

/** Columns that can hold anything, by table. */
const columns = new Map(
  [...schema.matchAll(/^create table (\w+) \(\n(.*?)^\)/gms)].map(([, table, body]) => [
    table!,
    [...body!.matchAll(/^ {2}"?(\w+)"? (?:text|jsonb|bytea)\b/gm)].map(([, name]) => name!).sort(),
  ]),
);

/** What the page says, by table: personal columns and all columns. */
const rows = page
  .slice(page.indexOf("## Every table"))
  .split("\n")
  .flatMap((line) => /^\| `(\w+)` \| (.*?) \| (.*) \| (.*?) \|$/.exec(line) ?? [])
  .reduce<string[][]>((all, cell, index) => {
    if (index % 5 === 0) all.push([]);
    all.at(-1)!.push(cell);
    return all;
  }, [])
  .map(([, table, personal, kept, others]) => ({
    table: table!,
    personal: namesIn(personal!),
    kept: kept!,
    all: [...namesIn(personal!), ...namesIn(others!)].sort(),
  }));

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}

test("every table stands on the page of personal data once, and each free column of it is classified", () => {
  assert.ok(columns.size > 40);
  assert.deepEqual(Object.fromEntries(rows.map(({ table, all }) => [table, all])), Object.fromEntries(columns));
  assert.equal(rows.length, columns.size);
});

test("of each table with personal data the page says how long it is kept", () => {
  for (const { table, personal, kept } of rows) if (personal.length > 0) assert.ok(kept.length > 5, table);
});

/** What is stored of an order of the service, and what may be left of it. */
const STORED: Readonly<Record<string, { readonly payload: object; readonly left: object }>> = {
  sms: {
    payload: { from: "Afara", text: "secret", sealed_text: "secret", segments: 1, network_guess: "mtn" },
    left: { from: "Afara", text: "", segments: 1, network_guess: "mtn" },
  },
  chat: {
    payload: {
      from: "2348090000000",
      content: {
        type: "template",
        name: "offer",
        language: "en",
        body: ["secret"],
        header: { kind: "image", link: "secret" },
      },
      media_url: "secret",
      sealed_body: "secret",
      fallback: { via: "sms", price: { amount: "4.00" }, sms: { from: "Afara", text: "secret", segments: 1 } },
    },
    left: {
      from: "2348090000000",
      content: { type: "template", name: "offer", language: "en", body: [""], header: { kind: "image", link: "" } },
      fallback: { via: "sms", price: { amount: "4.00" }, sms: { from: "Afara", text: "", segments: 1 } },
    },
  },
};
const PURCHASE = {
  payload: { product: "p", amount_kobo: "100", phone: "secret", customer: { name: "secret", address: null } },
  left: { product: "p", amount_kobo: "100", phone: PURGED_PHONE, customer: { name: "", address: null } },
};
const FACTS = {
  units_kwh: "12",
  user_id: "secret",
  sealed_tokens: "secret",
  doubt: { sealed_answer: "secret" },
  failure: { code: "vendor_failed", detail: "secret" },
};

for (const service of SERVICES) {
  test(`nothing personal is left of an order of ${service.service}, and the rest keeps its form`, () => {
    const { payload, left } = STORED[service.service] ?? PURCHASE;
    const isPurchase = service.idPrefix === "pur";
    const { user_id: _user, ...ofPurchase } = FACTS;
    const { sealed_tokens: _tokens, doubt: _doubt, ...ofChat } = FACTS;
    const ofMessage = service.service === "chat" ? ofChat : { ...ofChat, user_id: undefined };
    const order = {
      recipient: "secret",
      payload,
      facts: isPurchase ? ofPurchase : ofMessage,
      metadata: { name: "secret" },
    };
    const purged = withoutPersonalData(service, order, "numbers", new Date(0));
    assert.deepEqual(purged.payload, left);
    assert.doesNotMatch(JSON.stringify(purged), /secret/);
    assert.partialDeepStrictEqual(purged.facts, { units_kwh: "12", failure: { code: "vendor_failed" } });
  });
}
