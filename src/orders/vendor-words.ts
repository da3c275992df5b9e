import { hash } from "node:crypto";
import type { Doubt, Facts, InboundMessage, Outcome, ProviderReport } from "../ports/provider.ts";
import { hideTokens } from "../vendor-text/sts.ts";
import type { ServiceDefinition } from "./service-definition.ts";

/**
 * Texts from vendors and handsets, made fit to be stored: a stranger's words must neither fail a batch nor be delivered again for
 * ever because they can't be stored. Applied once, where they come in; adapters need not care.
 */

/** An index row holds 2.7 kB; no vendor's reference comes near it. */
const REFERENCE_MAX = 200;
const DETAIL_MAX = 500;
const FACTS_MAX = 4_000;
const NAME_MAX = 100;
/** A vendor's id of a user has 138 characters at most; cut, two people would become one. */
const ADDRESS_MAX = 200;
const STATUS_MAX = 40;

/** The same but for the tab, which people write: no word of theirs is lost. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_BUT_TAB = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Control characters but line feed and carriage return. PostgreSQL's text has no U+0000, and logs want none of them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/g;

export const cleanText = (text: string, max: number): string =>
  (text.length > max ? text.slice(0, max) : text).replace(CONTROL, "\ufffd").toWellFormed();

/** A name from a vendor's list or record, without runs of spaces. */
export const cleanName = (text: string, max: number): string => cleanText(text.replaceAll(/ {2,}/g, " ").trim(), max);

/** Vendors' words are shown and logged, so tokens in them are hidden. */
const cleanDetail = (text: string): string => cleanText(hideTokens(text), DETAIL_MAX);

/** A reference that is too long or has control characters is replaced by its digest, which is the same wherever it comes from. */
const cleanReference = (reference: string): string =>
  reference.length <= REFERENCE_MAX && reference.search(CONTROL) === -1 && reference.isWellFormed()
    ? reference
    : `sha256:${hash("sha256", reference)}`;

/** Each text of a value, however deep, and each name in it. */
function cleanEach(value: unknown, text: (said: string) => string, name: (said: string) => string): unknown {
  const clean = (member: unknown): unknown => {
    if (typeof member === "string") return text(member);
    if (Array.isArray(member)) return member.map(clean);
    if (typeof member !== "object" || member === null) return member;
    return Object.fromEntries(Object.entries(member).map(([key, inner]) => [name(key), clean(inner)]));
  };
  return clean(value);
}

function cleanFacts(facts: Facts): Facts {
  const cleaned = cleanEach(
    facts,
    (text) => cleanText(text, DETAIL_MAX),
    (name) => cleanText(name, NAME_MAX),
  ) as Facts;
  return JSON.stringify(cleaned).length <= FACTS_MAX ? cleaned : {};
}

/** A person's text is kept whole: a vendor's call bounds it, and it is delivered only once. */
const cleanWords = (text: string): string => text.replace(CONTROL_BUT_TAB, "\ufffd").toWellFormed();

/** An address that is too long is replaced by its digest; cut, it could be somebody else's. */
const cleanAddress = (address: string): string =>
  address.length <= ADDRESS_MAX ? cleanText(address, ADDRESS_MAX) : `sha256:${hash("sha256", address)}`;

/** Of an answer that a person must look at. Vendors' are a few kilobytes. */
const ANSWER_MAX = 64_000;

const cleanDoubt = ({ doubt }: { readonly doubt?: Doubt }) =>
  doubt && { doubt: { why: cleanDetail(doubt.why), answer: cleanText(doubt.answer, ANSWER_MAX) } };

/** An answer of the service's vendor to a call, or to a question about it. */
export function cleanOutcome(outcome: Outcome, { hideSecrets }: Pick<ServiceDefinition, "hideSecrets">): Outcome {
  const said = "doubt" in outcome ? { ...outcome, ...cleanDoubt(outcome) } : outcome;
  if ("detail" in said) return { ...said, detail: cleanDetail(said.detail) };
  const { providerReference, facts, ...rest } = hideSecrets ? hideSecrets(said) : said;
  return {
    ...rest,
    ...(providerReference !== undefined && { providerReference: cleanReference(providerReference) }),
    ...(facts && { facts: cleanFacts(facts) }),
  };
}

export const cleanReport = (report: ProviderReport): ProviderReport => ({
  ...report,
  status: cleanText(report.status, STATUS_MAX),
  ...(report.providerReference !== undefined && { providerReference: cleanReference(report.providerReference) }),
  ...(report.otherReference !== undefined && { otherReference: cleanReference(report.otherReference) }),
  ...(report.detail !== undefined && { detail: cleanDetail(report.detail) }),
  ...(report.facts && { facts: cleanFacts(report.facts) }),
  ...(report.recipient !== undefined && { recipient: cleanAddress(report.recipient) }),
  ...(report.sender !== undefined && { sender: cleanAddress(report.sender) }),
});

export const cleanInbound = (message: InboundMessage): InboundMessage => ({
  ...message,
  providerReference: cleanReference(message.providerReference),
  from: cleanAddress(message.from),
  to: cleanAddress(message.to),
  text: cleanWords(message.text),
  ...(message.facts && { facts: cleanEach(message.facts, cleanWords, cleanWords) as Facts }),
});
