import { hash } from "node:crypto";
import type { ReceiptDocument, ReceiptLine } from "./receipt.ts";
import { type Seller, sellerLines } from "./seller.ts";

const STYLE = `
body { margin: 2rem auto; max-width: 34rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
header { border-bottom: 2px solid #1a1a1a; }
h1 { margin: 0; font-size: 1.5rem; }
header p { margin: 0 0 .75rem; }
.logo { float: right; max-width: 40%; max-height: 5rem; margin: 0 0 .5rem 1rem; }
.seller { margin: 0 0 1rem; overflow-wrap: anywhere; white-space: pre-line; }
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

/** The page takes nothing from anywhere but itself (the logo), and nothing on it runs. */
export const RECEIPT_POLICY = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Names and addresses are a vendor's words, or the operator's. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

const rows = (lines: readonly ReceiptLine[], name: string): string =>
  `<dl class="${name}">${lines.map(([label, value]) => `<div class="row"><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></div>`).join("")}</dl>`;

/** The name stands beside the logo, which therefore says nothing more to who can't see it. */
const logo = ({ logo }: Seller): string =>
  logo ? `<img class="logo" alt="" src="data:${logo.type};base64,${Buffer.from(logo.bytes).toString("base64")}">` : "";

function sellerBlock(seller: Seller): string {
  const lines = sellerLines(seller).map(escaped).join("\n");
  return `${logo(seller)}<p class="seller"><strong>${escaped(seller.name)}</strong>${lines && `\n${lines}`}</p>`;
}

/** A page to be looked at or printed. */
export function receiptPage(receipt: ReceiptDocument): string {
  const { title, subtitle, number, seller, testNote, tokens, tokensNote, subject, money, tax, footer } = receipt;
  const boxes = tokens.map(
    ([label, value]) => `<dl class="token"><dt>${escaped(label)}</dt><dd>${escaped(value)}</dd></dl>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${title} ${number}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>${seller ? sellerBlock(seller) : ""}<h1>${escaped(title)}</h1><p>${escaped(subtitle)}</p></header>
${testNote === undefined ? "" : `<p class="test">${escaped(testNote)}</p>`}
${tokensNote === undefined ? "" : `<p>${escaped(tokensNote)}</p>`}
${boxes.join("\n")}
${rows(subject, "subject")}
${rows(money, "money")}
${rows(tax, "tax")}
${rows(footer, "footer")}
</main>
</body>
</html>
`;
}
