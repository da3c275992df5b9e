import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { BackupFault, CUT_OR_DAMAGED, DAMAGED, type Sealed, TRUNCATED } from "./format.ts";

/**
 * AES-256-GCM in chunks, so that neither side holds more than one in memory. A chunk's nonce is its number and whether it is
 * the last, so none can be left out, doubled, moved or cut off; the header is authenticated with each. The key is made of a
 * salt of this file alone, so no nonce is used twice with it.
 */
const CHUNK = 256 * 1024;
const TAG = 16;
/** 128 MiB and about half a second for each guess at the passphrase. */
const COST = { n: 2 ** 17, r: 8, p: 1 } as const;

export interface SealKey {
  readonly key: Buffer;
  readonly sealed: Sealed;
}

/** A key of its own for one file. */
export async function makeSealKey(passphrase: string): Promise<SealKey> {
  const salt = randomBytes(32);
  const { key, check } = await derive(passphrase, salt, COST);
  return {
    key,
    sealed: {
      cipher: "aes-256-gcm",
      kdf: "scrypt",
      ...COST,
      salt: salt.toString("base64"),
      check: check.toString("base64"),
    },
  };
}

/** The key of a file that was made with this passphrase. Throws when it was another one. */
export async function openSealKey(passphrase: string, sealed: Sealed): Promise<Buffer> {
  if (sealed.cipher !== "aes-256-gcm" || sealed.kdf !== "scrypt" || sealed.n * sealed.r > 2 ** 23 || sealed.p > 16)
    throw new BackupFault("The backup is encrypted in a way that this version of Afara does not know.");
  const { key, check } = await derive(passphrase, Buffer.from(sealed.salt, "base64"), sealed);
  const expected = Buffer.from(sealed.check, "base64");
  if (expected.length !== check.length || !timingSafeEqual(expected, check))
    throw new BackupFault("The passphrase is wrong: this backup was made with another one.");
  return key;
}

async function derive(passphrase: string, salt: Buffer, { n, r, p }: { n: number; r: number; p: number }) {
  const bytes = await new Promise<Buffer>((resolve, reject) =>
    scrypt(passphrase.normalize("NFC"), salt, 64, { N: n, r, p, maxmem: 256 * n * r }, (error, derived) =>
      error ? reject(error) : resolve(derived),
    ),
  );
  return { key: bytes.subarray(0, 32), check: createHash("sha256").update(bytes.subarray(32)).digest() };
}

const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 0);
  nonce.writeUInt32BE(isLast ? 1 : 0, 8);
  return nonce;
};

export async function* seal(source: AsyncIterable<Buffer>, key: Buffer, header: Buffer): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const { chunk, isLast } of chunksOf(source, CHUNK)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(number++, isLast)).setAAD(header);
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

export async function* unseal(source: AsyncIterable<Buffer>, key: Buffer, header: Buffer): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const { chunk, isLast } of chunksOf(source, CHUNK + TAG)) {
    const open = (asLast: boolean): Buffer | undefined => {
      if (chunk.length < TAG) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(number, asLast)).setAAD(header);
      decipher.setAuthTag(chunk.subarray(chunk.length - TAG));
      try {
        return Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - TAG)), decipher.final()]);
      } catch {
        return undefined;
      }
    };
    const opened = open(isLast);
    // A last chunk that does not open was cut, or changed: nobody can tell. One that opens as another than the last was the last that came.
    if (opened === undefined) throw new BackupFault(!isLast ? DAMAGED : open(false) ? TRUNCATED : CUT_OR_DAMAGED);
    number++;
    yield opened;
  }
}

/** The same bytes in pieces of one size; the last may be shorter, or empty when nothing came at all. */
async function* chunksOf(source: AsyncIterable<Buffer>, size: number) {
  let held: Buffer[] = [];
  let length = 0;
  for await (const bytes of source) {
    held.push(bytes);
    length += bytes.length;
    if (length <= size) continue;
    let all = Buffer.concat(held);
    // One byte more than a chunk shows that it is not the last.
    for (; all.length > size; all = all.subarray(size)) yield { chunk: all.subarray(0, size), isLast: false };
    held = [all];
    length = all.length;
  }
  yield { chunk: Buffer.concat(held), isLast: true };
}
