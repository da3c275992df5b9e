import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Receipt, type ReceiptLine, receiptParts } from "./receipt.ts";

/** DejaVu Sans has the naira sign and the dotted letters of Nigerian names; a PDF's own fonts have neither. */
const fontFile = (name: string): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)));

async function load() {
  const { default: Document } = await import("pdfkit");
  const fonts = {
    plain: fontFile("DejaVuSans"),
    bold: fontFile("DejaVuSans-Bold"),
    mono: fontFile("DejaVuSansMono-Bold"),
  };
  return { Document, fonts };
}
/** With the first receipt: most nodes never write one. */
let loaded: ReturnType<typeof load> | undefined;

const MARGIN = 50;
const GREY = "#4a4a4a";
const BLACK = "#1a1a1a";
const RED = "#8a1c1c";
const RULE = "#cccccc";

/** One page of A4. Points (1/72 inch) throughout. */
export async function receiptPdf(receipt: Receipt): Promise<Buffer> {
  loaded ??= load();
  const { Document, fonts } = await loaded;
  const { title, isTest, issuer, tokens, tokensNote, customer, money, footer } = receiptParts(receipt);
  const at = new Date(receipt.issued_at);
  const page = new Document({
    size: "A4",
    margin: MARGIN,
    lang: "en",
    info: { Title: `${title} ${receipt.receipt_number}`, Author: issuer, CreationDate: at, ModDate: at },
  });
  const bytes = collected(page);
  for (const [name, file] of Object.entries(fonts)) page.registerFont(name, file);
  const left = MARGIN;
  const right = page.page.width - MARGIN;
  const width = right - left;

  const rule = (color = RULE) => {
    page.moveTo(left, page.y).lineTo(right, page.y).lineWidth(0.7).strokeColor(color).stroke();
    page.moveDown(0.5);
  };
  const rows = (lines: readonly ReceiptLine[], lastIsBold = false) => {
    for (const [index, [label, value]] of lines.entries()) {
      const isBold = lastIsBold && index === lines.length - 1;
      const y = page.y;
      page.fontSize(10).font(isBold ? "bold" : "plain");
      page.fillColor(isBold ? BLACK : GREY).text(label, left, y, { width: width * 0.35 });
      page.fillColor(BLACK).text(value, left + width * 0.35, y, { width: width * 0.65, align: "right" });
      page.moveDown(0.4);
    }
  };

  page.font("bold").fontSize(20).fillColor(BLACK).text(title, left, MARGIN);
  page.font("plain").fontSize(12).text(issuer).moveDown(0.5);
  rule(BLACK);
  if (isTest)
    page
      .font("bold")
      .fontSize(10)
      .fillColor(RED)
      .text("Test mode: nothing was paid, and no real meter takes these tokens.")
      .moveDown(0.8);
  if (tokensNote !== undefined) page.font("plain").fontSize(10).fillColor(BLACK).text(tokensNote).moveDown(0.5);
  for (const [label, value] of tokens) {
    page.font("plain").fontSize(9).fillColor(GREY).text(label);
    page.font("mono").fontSize(17).fillColor(BLACK).text(value).moveDown(0.4);
  }
  page.moveDown(0.3);
  rule();
  rows(customer);
  rule();
  rows(money, true);
  rule();
  rows(footer);
  page.end();
  return bytes;
}

function collected(stream: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => resolve(Buffer.concat(chunks)));
    stream.on("error", reject);
  });
}
