import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ReceiptDocument, ReceiptLine } from "./receipt.ts";
import { sellerLines } from "./seller.ts";

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

const LOGO = { width: 140, height: 70, gap: 15 } as const;

/** A4, one page unless addresses are very long. Points (1/72 inch) throughout. */
export async function receiptPdf(receipt: ReceiptDocument): Promise<Buffer> {
  loaded ??= load();
  const { Document, fonts } = await loaded;
  const { title, subtitle, number, seller, testNote, tokens, tokensNote, subject, money, tax, footer } = receipt;
  const at = new Date(receipt.issuedAt);
  const page = new Document({
    size: "A4",
    margin: MARGIN,
    lang: "en",
    info: { Title: `${title} ${number}`, Author: seller?.name ?? subtitle, CreationDate: at, ModDate: at },
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
      page.fontSize(10).font(isBold ? "bold" : "plain");
      const [labelWidth, valueWidth] = [{ width: width * 0.4 }, { width: width * 0.6 }];
      const height = Math.max(page.heightOfString(label, labelWidth), page.heightOfString(value, valueWidth));
      if (page.y + height > page.page.height - MARGIN) page.addPage();
      const y = page.y;
      page.fillColor(isBold ? BLACK : GREY).text(label, left, y, labelWidth);
      page.fillColor(BLACK).text(value, left + width * 0.4, y, { ...valueWidth, align: "right" });
      page.y = y + height;
      page.moveDown(0.4);
    }
  };

  if (seller) {
    const { logo } = seller;
    const beside = { width: width - (logo ? LOGO.width + LOGO.gap : 0) };
    if (logo)
      page.image(Buffer.from(logo.bytes), right - LOGO.width, MARGIN, {
        fit: [LOGO.width, LOGO.height],
        align: "right",
      });
    page.font("bold").fontSize(12).fillColor(BLACK).text(seller.name, left, MARGIN, beside);
    page.font("plain").fontSize(10);
    for (const line of sellerLines(seller)) page.text(line, beside);
    page.y = Math.max(page.y, logo ? MARGIN + LOGO.height : 0);
    page.moveDown(1);
  }
  page.font("bold").fontSize(20).fillColor(BLACK).text(title, left, page.y, { width });
  page.font("plain").fontSize(12).text(subtitle, { width }).moveDown(0.5);
  rule(BLACK);
  if (testNote !== undefined) page.font("bold").fontSize(10).fillColor(RED).text(testNote).moveDown(0.8);
  if (tokensNote !== undefined) page.font("plain").fontSize(10).fillColor(BLACK).text(tokensNote).moveDown(0.5);
  for (const [label, value] of tokens) {
    page.font("plain").fontSize(9).fillColor(GREY).text(label);
    page.font("mono").fontSize(17).fillColor(BLACK).text(value).moveDown(0.4);
  }
  if (tokens.length > 0) {
    page.moveDown(0.3);
    rule();
  }
  rows(subject);
  rule();
  rows(money, true);
  rule();
  rows(tax);
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
