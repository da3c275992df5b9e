/** A body as it is shown: JSON, or its beginning. */
export interface ShownBody {
  readonly text: string;
  readonly isCut: boolean;
}

/** Of a body. Most are shorter than a tenth of it. */
export const BODY_CHARACTERS_MAX = 4_096;
/** Longer answers are not read for what they hide, and so not shown: they list what the request's own body had. */
const ANSWER_CHARACTERS_MAX = 64 * 1024;
/** Looked at past the end, so that no secret is recognised too late because it was cut. */
const OVERLAP = 256;

export const SECRET = "[secret]";
export const HIDDEN = "[hidden]";

/**
 * Names of fields whose value is a secret, whatever it is: keys, webhook secrets, passwords, electricity tokens, PINs of vouchers. Of a
 * name its letters and digits are compared, in small.
 */
const SECRET_NAME =
  /(?<!idempotency)keys?$|secret|passw|passphrase|passcode|^pass$|pwd|token|jwt|bearer|auth$|authorization|signature|cookie|credential|sessionid|voucher|^otp|otp$|^pins$|pin(?:code|number)?$|^cv[vc]$/;
/** An address may have a secret in its path: subscribers' webhooks often do. */
const ADDRESS_NAME = /(?:^|_)(?:url|uri|link)$/i;
/** In any text: our keys, also such with a letter missing, and webhook secrets. */
const SECRETS = /(?:afara(?:_|%5f)(?:live|test)(?:_|%5f)[0-9a-z]+|whsec(?:_|%5f)[\w+/=%-]+)/gi;
/** Digits in a row, or in groups of four and more with little between them, as tokens and card numbers are written. */
const DIGITS = /\d{4,}(?:[\s.,:;/|_·*\u00ad\u200b-\u200d\u2010-\u2015\u2060\u2212-]{1,3}\d{4,})*/g;
const TOKEN_DIGITS = 16;
/** A phone or meter number: several in a row are a list, and no token. */
const NUMBER_OF_ITS_OWN = /^\d{11,13}$/;
const ADDRESS = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]*/gi;

/** A JSON value without its secrets, up to a length: what is cut off costs nothing, however much it is. */
export function shownJson(value: unknown, charactersMax = BODY_CHARACTERS_MAX): ShownBody {
  const limit = charactersMax + OVERLAP;
  let text = "";

  const writeMembers = (pairs: Iterable<readonly [string | undefined, unknown]>, open: string, close: string): void => {
    text += open;
    let isFirst = true;
    for (const [name, member] of pairs) {
      if (text.length > limit) return;
      if (!isFirst) text += ",";
      isFirst = false;
      if (name !== undefined) text += `${JSON.stringify(shownText(name.slice(0, limit)))}:`;
      write(member, name);
    }
    text += close;
  };
  const write = (one: unknown, name: string | undefined): void => {
    if (one !== null && name !== undefined && isSecretName(name.slice(0, limit))) text += JSON.stringify(SECRET);
    else if (typeof one === "string") text += JSON.stringify(shownText(one.slice(0, limit), name));
    else if (Array.isArray(one)) writeMembers(unnamed(one), "[", "]");
    else if (typeof one === "object" && one !== null) writeMembers(membersOf(one), "{", "}");
    else if (typeof one === "number") text += JSON.stringify(shownNumber(one));
    else text += JSON.stringify(one ?? null);
  };

  write(value, undefined);
  const isCut = text.length > charactersMax;
  return { text: isCut ? wellFormed(text.slice(0, charactersMax)) : text, isCut };
}

function* unnamed(list: readonly unknown[]): Generator<readonly [undefined, unknown]> {
  for (const one of list) yield [undefined, one];
}

function* membersOf(object: object): Generator<readonly [string, unknown]> {
  for (const name in object) yield [name, (object as Record<string, unknown>)[name]];
}

/** The JSON of an answer without its secrets. Null: it is not kept. */
export function shownAnswer(answer: string | Buffer): ShownBody | null {
  if (answer.length > ANSWER_CHARACTERS_MAX) return null;
  try {
    return shownJson(JSON.parse(answer.toString()));
  } catch {
    return null; // what can't be read can't be redacted
  }
}

/** Nearly all names are those of our own members. */
const knownNames = new Map<string, boolean>();
const KNOWN_NAMES_MAX = 2_000;
const KNOWN_NAME_CHARACTERS_MAX = 60;

function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const letters = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
  const isSecret = SECRET_NAME.test(letters);
  if (name.length <= KNOWN_NAME_CHARACTERS_MAX && knownNames.size < KNOWN_NAMES_MAX) knownNames.set(name, isSecret);
  return isSecret;
}

/** A text without secrets. `name`: of the field that it is the value of. */
export function shownText(text: string, name = ""): string {
  if (ADDRESS_NAME.test(name)) return shownAddress(text.trim());
  const open = text.includes("://") ? text.replace(ADDRESS, shownAddress) : text;
  const known = /afara|whsec/i.test(open) ? open.replace(SECRETS, SECRET) : open;
  return /\d{4}/.test(known) ? known.replace(DIGITS, shownDigits) : known;
}

function shownDigits(digits: string): string {
  if (digits.length < TOKEN_DIGITS) return digits;
  const groups = digits.split(/\D+/);
  const count = groups.reduce((sum, group) => sum + group.length, 0);
  return count < TOKEN_DIGITS || groups.every((group) => NUMBER_OF_ITS_OWN.test(group)) ? digits : SECRET;
}

/** Tokens that came as numbers. */
const shownNumber = (number: number): number | string => (Math.abs(number) >= 1e15 ? SECRET : number);

function shownAddress(address: string): string {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return HIDDEN;
  const { origin, href } = new URL(address);
  return href === `${origin}/` ? origin : `${origin}/${HIDDEN}`;
}

/** Without half of a surrogate pair at its end, which UTF-8 has not. */
const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.slice(0, -1));
