import { audit } from "../accounts/audit.repo.ts";
import { ID_PREFIXES } from "../app/services.ts";
import { CASE_KINDS, type Case, type CaseKind, type Evidence, OPEN_WITH_ORDER } from "../cases/case.ts";
import { closeCase, findCase, listCases } from "../cases/cases.repo.ts";
import type { Db } from "../db/database.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { koboForPeople, parseKobo } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import { findOrderOfAnyAccount } from "../orders/inspect.repo.ts";
import { makeTokenSeal } from "../purchases/tokens.ts";
import { hideTokens } from "../vendor-text/sts.ts";
import type { Session } from "./cli.ts";
import { recipientText } from "./order-names.ts";
import { CannotRun, type Report, refusedReport, tableText, tableWithNotes, timeText } from "./report.ts";
import { ownSecret } from "./secret.ts";

const CASES_MAX = 100;

function caseId(text: string): Uuid {
  const id = decodeId("cas", text);
  if (!id) throw new CannotRun(`"${text}" is not a case's id (cas_…). ./afara cases list shows them.`);
  return id;
}

const noSuchCase = (text: string): Report => refusedReport(refusal("not_found", `There is no case ${text}.`));

/** A purchase, or a message that was delivered after its money had gone back. A finding of reconciliation is about a purchase. */
function subjectOf({ orderId, evidence }: Pick<Case, "orderId" | "evidence">): {
  purchase: string | null;
  message?: string;
} {
  if (orderId === null) return { purchase: null };
  const isMessage = ID_PREFIXES.get(String(evidence.service)) === "msg";
  return isMessage ? { purchase: null, message: encodeId("msg", orderId) } : { purchase: encodeId("pur", orderId) };
}

const nameOf = (one: Pick<Case, "orderId" | "evidence">): string | null => {
  const { message, purchase } = subjectOf(one);
  return message ?? purchase;
};

const shown = ({ id, kind, accountId, orderId, evidence, openedAt, closedAt, resolution }: Case) => ({
  id: encodeId("cas", id),
  kind,
  status: closedAt === null ? "open" : "closed",
  ...subjectOf({ orderId, evidence }),
  account: accountId && encodeId("acc", accountId),
  opened_at: openedAt.toISOString(),
  closed_at: closedAt?.toISOString() ?? null,
  resolution,
  evidence,
});

/** What it is about, in a few words. */
function about({ kind, evidence }: Case): string {
  const { found, provider, route, reference, ours, theirs, unexplained } = evidence;
  if (kind !== "reconciliation") return [route, reference].filter((word) => typeof word === "string").join(" ");
  const difference = unexplained === undefined ? `ours ${ours}, theirs ${theirs}` : `${unexplained} unexplained`;
  return [provider, found, reference]
    .filter((word) => typeof word === "string")
    .join(" ")
    .concat(`: ${difference}`);
}

const meanings = (kinds: ReadonlySet<CaseKind>): string =>
  Object.entries(CASE_KINDS)
    .filter(([kind]) => [...kinds].some((one) => one === kind))
    .map(([kind, meaning]) => `${kind}: ${meaning}.`)
    .join("\n");

export async function casesList(db: Db, all: boolean): Promise<Report> {
  const cases = await listCases(db, { closed: all, limit: CASES_MAX });
  const ok = all || cases.length === 0;
  const more = cases.length === CASES_MAX ? `\nThe ${all ? "newest" : "oldest"} ${CASES_MAX}; there may be more.` : "";
  const rows = cases.map((one) => {
    const { id, kind, status } = shown(one);
    const notes = [[nameOf(one), about(one)].filter(Boolean).join("; "), one.resolution ?? ""];
    return { cells: [id, kind, timeText(one.openedAt), ...(all ? [status] : [])], notes };
  });
  const heads = ["CASE", "KIND", "SINCE", ...(all ? ["STATUS"] : [])];
  return {
    ok,
    json: { ok, cases: cases.map(shown) },
    text:
      cases.length === 0
        ? `There is no ${all ? "" : "open "}case.`
        : `${tableWithNotes(heads, rows)}${more}\n\n${meanings(new Set(cases.map(({ kind }) => kind)))}`,
  };
}

const heading = (name: string): string => name.replaceAll("_", " ").toUpperCase();

const cellText = (value: unknown): string => (Array.isArray(value) ? value.join(" ") : String(value ?? ""));

const namedRows = (facts: object): readonly (readonly string[])[] =>
  Object.entries(facts)
    .map(([name, value]) => [heading(name), cellText(value)])
    .filter(([, text]) => text !== "");

/** Price and phone as `orders show` has them. */
const purchaseWords = ({ service, recipient, price }: Evidence): Evidence => ({
  ...(typeof price === "string" && { price: koboForPeople(parseKobo(price)) }),
  ...(typeof recipient === "string" && { recipient: recipientText({ service: String(service), recipient }) }),
});

/** What of the evidence is a list, with its longest fact below each row. */
function listed(entries: unknown, names: readonly string[], note: string): string {
  if (!Array.isArray(entries) || entries.length === 0) return "";
  const rows = entries.map((entry: Evidence) => ({
    cells: names.map((name) => cellText(entry[name])),
    notes: [cellText(entry[note])],
  }));
  return tableWithNotes(names.map(heading), rows);
}

/** `answer`: whether the vendor's answer in doubt is shown too, which the audit log then has: it may have tokens, and these are money. */
export async function casesShow(session: CaseSession, text: string, answer: boolean): Promise<Report> {
  const { db } = session;
  const found = await findCase(db, caseId(text));
  if (!found) return noSuchCase(text);
  const opened = answer ? await openAnswer(session, found) : undefined;
  if (answer && opened === undefined)
    return refusedReport(refusal("not_found", `There is no vendor's answer kept with ${text}.`));
  const { evidence, ...facts } = shown(found);
  const { attempts, last_answers: answers, ...rest } = evidence;
  const told = { ...rest, ...purchaseWords(rest) };
  return {
    ok: true,
    json: { ok: true, case: { ...facts, evidence, ...(opened !== undefined && { answer: opened }) } },
    text: [
      tableText(["CASE", facts.id], namedRows({ ...facts, id: null, ...told })),
      listed(attempts, ["attempt", "begun_at", "route"], "reference"),
      listed(answers, ["at", "status"], "said"),
      opened === undefined ? "" : `THE VENDOR'S ANSWER\n${opened}`,
      `${meanings(new Set([found.kind]))}${found.orderId ? `\nThe whole story: ./afara orders show ${nameOf(found)}` : ""}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  };
}

type CaseSession = Pick<Session, "db" | "operator" | "config">;

/** The vendor's answer, as it came. That somebody has seen it stands in the audit log. */
async function openAnswer({ db, operator, config }: CaseSession, found: Case): Promise<string | undefined> {
  const order = found.orderId && (await findOrderOfAnyAccount(db, found.orderId))?.order;
  if (!order || order.facts?.doubt === undefined) return undefined;
  const answer = makeTokenSeal(await ownSecret(db, config)).openAnswer(order);
  const details = { kind: found.kind, purchase: encodeId("pur", order.id) };
  await db.transaction((tx) =>
    audit(tx, { actor: operator, action: "case.answer", subject: encodeId("cas", found.id), details }),
  );
  return answer;
}

/** A case about an unknown outcome can't be closed while the money is held: it would be held for ever, and nobody would look. */
export async function casesClose(
  { db, operator, clock }: Pick<Session, "db" | "operator" | "clock">,
  text: string,
  resolution: string,
): Promise<Report> {
  const id = caseId(text);
  // As with a proof: what people write may hold a token, which is money.
  const settled = hideTokens(resolution.trim());
  const refused = (detail: string) => refusedReport(refusal("invalid_state", detail));
  if (settled === "") return refused("A resolution is needed: how it was settled, and with whom.");
  return db.transaction(async (tx) => {
    const found = await findCase(tx, id);
    if (!found) return noSuchCase(text);
    const order = found.orderId && (await findOrderOfAnyAccount(tx, found.orderId))?.order;
    if (OPEN_WITH_ORDER.includes(found.kind) && order?.endedAt === null) {
      const purchase = encodeId("pur", order.id);
      return refused(
        `${purchase} is still ${order.state}, and its money is held. End it with a proof, which closes the case: ./afara orders resolve ${purchase}`,
      );
    }
    if (!(await closeCase(tx, id, settled, clock.now())))
      return refused(`${text} is closed already: ${found.resolution}`);
    const details = { kind: found.kind, ...(found.orderId && subjectOf(found)) };
    await audit(tx, { actor: operator, action: "case.close", subject: text, details, reason: settled });
    return { ok: true, json: { ok: true, id: text, status: "closed" }, text: `${text} is closed.` };
  });
}
