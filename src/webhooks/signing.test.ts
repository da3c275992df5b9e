import assert from "node:assert/strict";
import { createPublicKey, randomBytes, verify } from "node:crypto";
import { test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { newUuid } from "../kernel/ids.ts";
import { makeWebhookSeal } from "./sealed.ts";
import {
  makePrivateKey,
  publicKeyText,
  readPrivateKey,
  SECRET_BYTES,
  type SigningKey,
  secretText,
  signaturesOf,
  writePrivateKey,
} from "./signing.ts";

const newKey = (): SigningKey => ({ secret: randomBytes(SECRET_BYTES), privateKey: makePrivateKey() });
const [key, otherKey] = [newKey(), newKey()];
const ID = "evt_01kb3v9q4ze1xb8m6t2r5y7w0n";
/** Bytes that another serializer would write differently. */
const BODY = Buffer.from('{"type":"sms.delivered","data":{"text":"₦1,500 \\u00e9é","n":1.50}}');
const now = () => Math.floor(Date.now() / 1_000);

const headersOf = (keys: readonly SigningKey[], seconds = now(), body = BODY) => ({
  "webhook-id": ID,
  "webhook-timestamp": String(seconds),
  "webhook-signature": signaturesOf(keys, ID, seconds, body),
});

for (const [name, Verifier] of [
  ["standardwebhooks", StandardWebhook],
  ["svix", Svix],
] as const) {
  /** Throws when it is refused. */
  const check = (secret: SigningKey, headers: Record<string, string>, body: Buffer | string = BODY): void => {
    new Verifier(secretText(secret.secret)).verify(body, headers);
  };

  test(`npm's ${name} takes a delivery, with the bytes or their text`, () => {
    check(key, headersOf([key]));
    check(key, headersOf([key]), BODY.toString());
  });

  test(`npm's ${name} takes the secret without its prefix as well`, () => {
    const bare = secretText(key.secret).replace("whsec_", "");
    new Verifier(bare).verify(BODY, headersOf([key]));
  });

  test(`npm's ${name} takes a delivery that two secrets sign, with either`, () => {
    for (const one of [key, otherKey]) check(one, headersOf([key, otherKey]));
  });

  test(`npm's ${name} refuses another secret, JSON that was written again, another id, and a time that is off`, () => {
    assert.throws(() => check(otherKey, headersOf([key])));
    assert.throws(() => check(key, headersOf([key]), JSON.stringify(JSON.parse(BODY.toString()))));
    assert.throws(() => check(key, { ...headersOf([key]), "webhook-id": "evt_other" }));
    assert.throws(() => check(key, headersOf([key], now() - 600)));
    assert.throws(() => check(key, headersOf([key], now() + 600)));
    assert.throws(() => check(key, headersOf([key], Date.now())), "milliseconds are no seconds");
  });
}

test("v1a is an Ed25519 signature that the endpoint's own public key verifies, and no other's", () => {
  const seconds = now();
  const [, v1a = ""] = signaturesOf([key], ID, seconds, BODY).split(" ");
  assert.match(v1a, /^v1a,[A-Za-z0-9+/]{86}==$/);
  const signature = Buffer.from(v1a.slice(4), "base64");
  const signed = Buffer.concat([Buffer.from(`${ID}.${seconds}.`), BODY]);
  const publicKey = (text: string) => {
    const x = Buffer.from(text.replace("whpk_", ""), "base64").toString("base64url");
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  };
  assert.equal(verify(null, signed, publicKey(publicKeyText(key.privateKey)), signature), true);
  assert.equal(verify(null, signed, publicKey(publicKeyText(otherKey.privateKey)), signature), false);
});

test("signatures are separated by single spaces, those of v1 first", () => {
  const kinds = signaturesOf([key, otherKey], ID, now(), BODY)
    .split(" ")
    .map((one) => one.split(",")[0]);
  assert.deepEqual(kinds, ["v1", "v1", "v1a", "v1a"]);
});

test("a secret is whsec_ and the padded base64 of 32 bytes, a public key whpk_ and that of 32", () => {
  assert.match(secretText(key.secret), /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.match(publicKeyText(key.privateKey), /^whpk_[A-Za-z0-9+/]{43}=$/);
});

test("a private key comes back from its text", () => {
  const again = readPrivateKey(writePrivateKey(key.privateKey));
  assert.equal(publicKeyText(again), publicKeyText(key.privateKey));
});

test("stored keys are sealed, each for its own row", () => {
  const seal = makeWebhookSeal("secret of the tests");
  const id = newUuid();
  const sealed = seal.sealKey(id, key);
  const text = JSON.stringify(sealed);
  assert.ok(!text.includes(key.secret.toString("base64")));
  assert.ok(!text.includes(writePrivateKey(key.privateKey)));
  assert.deepEqual(seal.openKey(sealed).secret, key.secret);
  assert.throws(() => seal.openKey({ ...sealed, id: newUuid() }));
  assert.throws(() => makeWebhookSeal("another secret").openKey(sealed));
});
