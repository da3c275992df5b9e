import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { pngOf } from "../testing/pictures.ts";
import { RECEIPT_POLICY, receiptPage } from "./receipt.html.ts";
import type { ReceiptDocument } from "./receipt.ts";

const CHROMIUM = "/usr/bin/chromium";
const skip = existsSync(CHROMIUM) ? false : "needs Debian's chromium";
/** A machine may be very busy: this test does not say how long something takes. */
const PATIENCE_MS = 120_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const RECEIPT: ReceiptDocument = {
  title: "Electricity receipt",
  subtitle: "Eko Electric",
  number: "pur_01kb3v9q4ze1xb8m6t2r5y7w0n",
  issuedAt: "2026-11-27T09:00:00.410Z",
  seller: {
    name: "Ilé Ìtajà Ẹ̀kọ́ & Sons",
    address: "1 Sample Close\nẸ̀kọ́",
    tin: "12345678-0001",
    email: "help@shop.example",
    logo: { type: "image/png", bytes: pngOf(120, 40) },
  },
  testNote: "Test mode: nothing was paid.",
  tokens: [["Token", "1234 5678 9012 3456 7890"]],
  tokensNote: "Enter the tokens into the meter in this order.",
  subject: [["Customer", "ỌLÁ ADÉṢỌLÁ"]],
  money: [
    ["Paid for electricity", "₦5,000.00"],
    ["Total", "₦5,000.00"],
  ],
  tax: [["VAT in the total", "₦348.84"]],
  footer: [["Receipt number", "pur_01kb3v9q4ze1xb8m6t2r5y7w0n"]],
};

test("a receipt's page shows its logo under its own policy, without an accessibility fault or a foreign request", {
  skip,
}, async (t) => {
  const server = createServer((_, response) =>
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .setHeader("content-security-policy", RECEIPT_POLICY)
      .end(receiptPage(RECEIPT)),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  const profile = mkdtempSync(join(tmpdir(), "afara-chromium-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    bypassCSP: false,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    timeout: PATIENCE_MS,
  });
  browser.setDefaultTimeout(PATIENCE_MS);
  t.after(async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  });
  const page = await browser.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("console", (message) => complaints.push(message.text()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await page.goto(url);
  assert.equal(await page.evaluate("document.querySelector('.logo').naturalWidth"), 120);
  assert.deepEqual(
    requested.filter((one) => one !== url && !one.startsWith("data:") && !one.endsWith("/favicon.ico")),
    [],
  );
  assert.deepEqual(complaints, []);
  await page.evaluate(AXE);
  const found = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`;
  assert.deepEqual(await page.evaluate(found), []);
});
