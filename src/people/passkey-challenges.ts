import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { MINUTE_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { derivedKey } from "../kernel/seal.ts";
import { spendOnce } from "./passkeys.repo.ts";
import { cookieAttributes, cookiePrefix } from "./session-keys.ts";

/** What a challenge asks for: an answer to one is none to another. `whom`: the person who is signed in. */
export type Asked = { readonly for: "sign-in" } | { readonly for: "add" | "confirm"; readonly whom: Uuid };

/** Challenges of passkeys: good for one browser, for one answer, and not for long. */
export interface PasskeyChallenges {
  /** With the cookie that tells the browser again. */
  issue(cookies: string, asked: Asked): { readonly challenge: Buffer; readonly cookie: string };
  /** Whether it was issued to this browser for this, is not too old, and is answered for the first time. */
  take(cookies: string, asked: Asked, challenge: Buffer): Promise<boolean>;
}

const CHALLENGE_MS = 10 * MINUTE_MS;
const [ID_BYTES, END_BYTES] = [16, 8];
const HEAD_BYTES = ID_BYTES + END_BYTES;

/**
 * A challenge carries what it is good for under a signature, so that nothing is stored of those that nobody answers: each visit of the
 * sign-in page asks for one. The cookie names the browser, not the challenge: with two pages open, either may be answered.
 */
export function makePasskeyChallenges(parts: {
  readonly db: Database;
  readonly clock: Clock;
  readonly secret: string;
  readonly isSecure: boolean;
}): PasskeyChallenges {
  const { db, clock, secret, isSecure } = parts;
  const key = derivedKey(secret, "portal passkey challenges v1");
  const name = `${cookiePrefix(isSecure)}.passkey`;
  const value = new RegExp(`(?:^|;) *${name.replaceAll(".", "\\.")}=([\\w-]{43})(?:;|$)`);
  const browserIn = (cookies: string) => value.exec(cookies)?.[1];
  const signed = (browser: string, asked: Asked, head: Buffer) =>
    createHmac("sha256", key)
      .update(JSON.stringify([browser, asked.for, "whom" in asked ? asked.whom : null]))
      .update(head)
      .digest();
  return {
    issue(cookies, asked) {
      const browser = browserIn(cookies) ?? randomBytes(32).toString("base64url");
      const end = Buffer.alloc(END_BYTES);
      end.writeBigInt64BE(BigInt(clock.now().getTime() + CHALLENGE_MS));
      const head = Buffer.concat([Buffer.from(newUuid().replaceAll("-", ""), "hex"), end]);
      return {
        challenge: Buffer.concat([head, signed(browser, asked, head)]),
        cookie: `${name}=${browser}; Max-Age=${CHALLENGE_MS / 1_000}${cookieAttributes(isSecure)}`,
      };
    },
    async take(cookies, asked, challenge) {
      const browser = browserIn(cookies);
      const [head, signature] = [challenge.subarray(0, HEAD_BYTES), challenge.subarray(HEAD_BYTES)];
      if (browser === undefined || head.length < HEAD_BYTES) return false;
      const right = signed(browser, asked, head);
      if (signature.length !== right.length || !timingSafeEqual(signature, right)) return false;
      const endMs = Number(head.readBigInt64BE(ID_BYTES));
      if (endMs <= clock.now().getTime()) return false;
      return spendOnce(db, uuidOf(head.subarray(0, ID_BYTES)), new Date(endMs));
    },
  };
}

const uuidOf = (bytes: Buffer): Uuid =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") as Uuid;
