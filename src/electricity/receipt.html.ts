import { hash } from "node:crypto";
import { type Receipt, type ReceiptLine, receiptParts } from "./receipt.ts";

const STYLE = `
body { margin: 2rem auto; max-width: 34rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
header { border-bottom: 2px solid #1a1a1a; }
h1 { margin: 0; font-size: 1.5rem; }
header p { margin: 0 0 .75rem; }
.test { border: 2px solid #8a1c1c; color: #8a1c1c; padding: .5rem .75rem; font-weight: 600; }
.token { margin: .5rem 0; padding: .75rem; border: 1px solid #767676; border-radius: .5rem; }
.token dt { font-size: .875rem; color: #4a4a4a; }
.token dd { margin: 0; font: 600 1.25rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
dl { margin: 1rem 0; }
.row { display: flex; justify-content: space-between; gap: 1rem; padding: .25rem 0; border-bottom: 1px solid #e0e0e0; }
.row dt { color: #4a4a4a; white-space: nowrap; }
.row dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
.money .row:last-child { font-weight: 700; border-bottom: 2px solid #1a1a1a; }
.money .row:last-child dt { color: inherit; }
@media print { body { margin: 0 auto; } }
`;

/** The page takes nothing from anywhere, and nothing on it runs. */
export const RECEIPT_POLICY = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Names and addresses are a vendor's words. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

const rows = (lines: readonly ReceiptLine[], name: string): string =>
  `<dl class="${name}">${lines.map(([label, value]) => `<div class="row"><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></div>`).join("")}</dl>`;

/** A page to be looked at or printed. */
export function receiptPage(receipt: Receipt): string {
  const { title, isTest, issuer, tokens, tokensNote, customer, money, footer } = receiptParts(receipt);
  const boxes = tokens.map(
    ([label, value]) => `<dl class="token"><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></dl>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${title} ${receipt.receipt_number}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header><h1>${escaped(title)}</h1><p>${escaped(issuer)}</p></header>
${isTest ? '<p class="test">Test mode: nothing was paid, and no real meter takes these tokens.</p>' : ""}
${tokensNote === undefined ? "" : `<p>${escaped(tokensNote)}</p>`}
${boxes.join("\n")}
${rows(customer, "customer")}
${rows(money, "money")}
${rows(footer, "footer")}
</main>
</body>
</html>
`;
}
