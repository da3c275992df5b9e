import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import own from "../../afara.config.ts";
import { pngOf } from "../testing/pictures.ts";
import { readConfig } from "./config.ts";
import { readLogo } from "./logo.ts";

const folder = await mkdtemp(join(tmpdir(), "afara-logo-"));
after(() => rm(folder, { recursive: true }));
const png = pngOf(120, 40);
await mkdir(join(folder, "folder.png"));
for (const [name, bytes] of Object.entries({
  "logo.png": png,
  "half.png": png.subarray(0, 60),
  "no-pixels.png": Buffer.concat([png.subarray(0, 41), Buffer.alloc(png.length - 41, 7)]),
  "large.png": Buffer.concat([png, Buffer.alloc(512_001)]),
  "text.png": Buffer.from("a logo"),
  "empty.png": Buffer.alloc(0),
  "picture.png": Buffer.from(
    "47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b",
    "hex",
  ),
  "half.jpg": Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
}))
  await writeFile(join(folder, name), bytes);

const logoAt = (logo: string) => readLogo({ seller: { name: "Sample Shop", logo } }, folder);

test("a PNG is read from beside the configuration file, and no logo is none", async () => {
  assert.deepEqual(await logoAt("./logo.png"), { type: "image/png", bytes: png });
  assert.equal(await readLogo({ seller: { name: "Sample Shop" } }, folder), undefined);
  assert.equal(await readLogo({}, folder), undefined);
});

for (const [name, what] of [
  ["none.png", "does not exist; paths begin at the folder of this file."],
  ["folder.png", "is not a file; name a PNG or JPEG."],
  ["large.png", `has ${png.length + 512_001} bytes; a logo has 512000 (512 kB) at most, so make it smaller.`],
  ["text.png", "is no picture that is known; save the logo as PNG or JPEG, whatever the file's name ends in."],
  ["empty.png", "is no picture that is known; save the logo as PNG or JPEG, whatever the file's name ends in."],
  ["picture.png", "is image/gif; save the logo as PNG or JPEG, whatever the file's name ends in."],
  ["half.png", "is damaged, and can't be drawn; save it as PNG again."],
  ["no-pixels.png", "is damaged, and can't be drawn; save it as PNG again."],
  ["half.jpg", "is damaged, and can't be drawn; save it as JPEG again."],
] as const)
  test(`${name} ${what}`, async () => {
    assert.deepEqual(await logoAt(name), { path: ["seller", "logo"], detail: `${join(folder, name)} ${what}` });
  });

async function read(seller: unknown, environment: Readonly<Record<string, string>> = {}) {
  const path = join(folder, `${Math.random()}.mjs`);
  await writeFile(path, `export default ${JSON.stringify({ ...own, seller })};\n`);
  const { config, faults, warnings } = await readConfig(
    { AFARA_DATA_DIR: join(folder, "data"), AFARA_CONFIG: path, ...environment },
    folder,
  );
  const short = (texts: readonly string[]) => texts.map((text) => text.replace(`${path}: `, ""));
  return { config, faults: short(faults), warnings: short(warnings) };
}

const SELLER = {
  name: "Ilé Ìtajà Ẹ̀kọ́ & Sons (Nigeria) Ltd.",
  address: "1 Sample Close\nẸ̀kọ́",
  tin: "12345678-0001",
  phone: "+234 803 123 4567",
  email: "help@shop.example",
  logo: "logo.png",
};

test("a seller with everything is read with its logo, and TINs in each form that there is", async () => {
  const { config, faults } = await read(SELLER);
  assert.deepEqual(faults, []);
  assert.deepEqual([config.file.seller, config.sellerLogo?.type], [SELLER, "image/png"]);
  for (const tin of ["123456780001", "1234567890", "1234567890123"])
    assert.deepEqual((await read({ name: "Sample Shop", tin })).faults, []);
});

test("every fault of a seller is told at once, by its place", async () => {
  const { faults } = await read({
    name: " ",
    address: "",
    tin: "1234-5678",
    phone: "none",
    email: "shop",
    logo: "none.png",
  });
  assert.deepEqual(faults, [
    'seller.name: must be the business\'s name in one line, in quotes, 100 characters at most; " " stands there.',
    "seller.address: must be an address in quotes, 300 characters at most; \\n begins another line; an empty text stands there.",
    'seller.tin: must be a tax identification number in quotes: "12345678-0001", or the 13 (or 10) digits of a Tax ID; "1234-5678" stands there.',
    'seller.phone: must be a phone number in quotes, e.g. "0803 123 4567"; "none" stands there.',
    'seller.email: must be an email address in quotes, e.g. "help@shop.example"; "shop" stands there.',
    `seller.logo: ${join(folder, "none.png")} does not exist; paths begin at the folder of this file.`,
  ]);
  assert.deepEqual((await read({ tin: 12345678 })).faults, [
    'seller.tin: must be a tax identification number in quotes: "12345678-0001", or the 13 (or 10) digits of a Tax ID; 12345678 stands there. Write it in quotes: "12345678".',
    "seller.name: is missing; it must be the business's name in one line, in quotes, 100 characters at most.",
  ]);
});

test("production without a seller starts with a warning, and local mode without one", async () => {
  const production = { AFARA_ENV: "production", AFARA_SECRET: "a secret of more than thirty-two characters" };
  const { faults, warnings } = await read(undefined, production);
  assert.deepEqual(faults, []);
  assert.deepEqual(warnings, [
    "seller: is not set, so receipts name no seller; add seller: { name, address, tin, phone, email, logo }",
  ]);
  assert.deepEqual((await read(SELLER, production)).warnings, []);
  assert.deepEqual((await read(undefined)).warnings, []);
});
