import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What a page hands to the browser, as far as a device looks at it. */
export interface Creation {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

export interface Request {
  readonly challenge: string;
  readonly rpId: string;
}

/** How this answer is not as it should be. */
export interface Odd {
  readonly origin?: string;
  readonly rpId?: string;
  /** False: the device did not ask who holds it. */
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
}

const sha256 = (bytes: Buffer | string): Buffer => createHash("sha256").update(bytes).digest();

const [PRESENT, VERIFIED, HAS_KEY] = [0x01, 0x04, 0x40];

/** A device with one passkey, made by hand from the WebAuthn standard (level 2, sections 6.1 and 6.5). */
export class TestPasskey {
  readonly id = randomBytes(32).toString("base64url");
  readonly #origin: string;
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  #counter = 0;
  #userHandle = "";

  constructor(origin: string) {
    this.#origin = origin;
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#publicKey = publicKey;
    this.#privateKey = privateKey;
  }

  /** What the portal sends after a passkey was made. */
  made({ challenge, rp, user }: Creation, odd: Odd = {}) {
    this.#userHandle = user.id;
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const key = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()]);
    const authData = Buffer.concat([this.#head(rp.id, HAS_KEY, odd), key]);
    return {
      id: this.id,
      client_data: this.#clientData("webauthn.create", challenge, odd).toString("base64url"),
      attestation: map([
        [text("fmt"), text("none")],
        [text("attStmt"), map([])],
        [text("authData"), bytes(authData)],
      ]).toString("base64url"),
      transports: ["internal"],
    };
  }

  /** What it sends after the passkey answered. */
  answer({ challenge, rpId }: Request, odd: Odd = {}) {
    const data = this.#head(rpId, 0, odd);
    const client = this.#clientData("webauthn.get", challenge, odd);
    return {
      id: this.id,
      client_data: client.toString("base64url"),
      authenticator_data: data.toString("base64url"),
      signature: sign("sha256", Buffer.concat([data, sha256(client)]), this.#privateKey).toString("base64url"),
      user_handle: odd.userHandle ?? this.#userHandle,
    };
  }

  #clientData(type: string, challenge: string, { origin, type: other, crossOrigin = false }: Odd): Buffer {
    return Buffer.from(JSON.stringify({ type: other ?? type, challenge, origin: origin ?? this.#origin, crossOrigin }));
  }

  #head(rpId: string, more: number, { rpId: other, isVerified = true, counter }: Odd): Buffer {
    if (counter !== undefined) this.#counter = counter;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#counter);
    return Buffer.concat([sha256(other ?? rpId), Buffer.from([PRESENT | (isVerified ? VERIFIED : 0) | more]), count]);
  }

  /** ES256 (RFC 9053): kty 2, alg -7, crv 1, x, y. */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#publicKey.export({ format: "jwk" });
    return map([
      [Buffer.from([1]), Buffer.from([2])],
      [Buffer.from([3]), Buffer.from([0x26])],
      [Buffer.from([0x20]), Buffer.from([1])],
      [Buffer.from([0x21]), bytes(Buffer.from(x, "base64url"))],
      [Buffer.from([0x22]), bytes(Buffer.from(y, "base64url"))],
    ]);
  }
}

/** CBOR (RFC 8949), as much as is needed. */
const item = (major: number, length: number, content: Buffer): Buffer => {
  const kind = major << 5;
  const head =
    length < 24 ? [kind | length] : length < 256 ? [kind | 24, length] : [kind | 25, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
};
const text = (value: string): Buffer => item(3, value.length, Buffer.from(value));
const bytes = (value: Buffer): Buffer => item(2, value.length, value);
const map = (pairs: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  item(5, pairs.length, Buffer.concat(pairs.flat()));
