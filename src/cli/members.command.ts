import type { Role } from "../accounts/roles.ts";
import { onOffer } from "../app/services.ts";
import type { Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { makeMailer } from "../people/mail.ts";
import { approvalMail, invitationLink, invitationMail } from "../people/mails.ts";
import { type By, makeMembers } from "../people/members.service.ts";
import { awaitingApproval } from "../people/people.repo.ts";
import { makeSignUps, signUpRuleOf } from "../people/sign-ups.ts";
import { ofAccount } from "./account-argument.ts";
import type { Session } from "./cli.ts";
import { portalOrigin } from "./portal-origin.ts";
import { type Report, refusedReport, tableText, timeText } from "./report.ts";
import { QUIET } from "./session.ts";

const byOf = ({ operator }: Session): By => ({ operator });

/** Writes as the gateway would: to the outbox of a local one. */
async function writeTo({ db, clock, config }: Session, mail: Parameters<ReturnType<typeof makeMailer>["send"]>[0]) {
  const settings = config.production ? config.portal.mail : undefined;
  if (config.production && settings === undefined) return;
  const mailer = makeMailer({ db, clock, log: QUIET, settings });
  mailer.send(mail);
  await mailer.idle();
}

export const membersList = (session: Session, accountId: Uuid): Promise<Report> =>
  ofAccount(session.db, accountId, async () => {
    const service = makeMembers(session);
    const members = await service.list(byOf(session), accountId);
    const invitations = await service.invitations(byOf(session), accountId);
    if (!members.ok) return refusedReport(members.error);
    if (!invitations.ok) return refusedReport(invitations.error);
    const rows = [
      ...members.value.map(({ email, role, createdAt }) => [email, role, `since ${timeText(createdAt)}`]),
      ...invitations.value.map(({ email, role, expiresAt }) => [email, role, `invited until ${timeText(expiresAt)}`]),
    ];
    return {
      ok: true,
      json: {
        members: members.value.map(({ personId, name, email, role, createdAt }) => ({
          id: encodeId("usr", personId),
          name,
          email,
          role,
          created_at: createdAt.toISOString(),
        })),
        invitations: invitations.value.map(({ id, email, role, expiresAt }) => ({
          id: encodeId("inv", id),
          email,
          role,
          expires_at: expiresAt.toISOString(),
        })),
      },
      text: rows.length > 0 ? tableText(["EMAIL", "ROLE", ""], rows) : "The account has no members yet.",
    };
  });

export const membersInvite = (session: Session, accountId: Uuid, email: string, role: Role): Promise<Report> =>
  ofAccount(session.db, accountId, async () => {
    const invited = await makeMembers(session).invite(byOf(session), accountId, email, role);
    if (!invited.ok) return refusedReport(invited.error);
    const link = invitationLink(portalOrigin(session), invited.value);
    await writeTo(session, invitationMail(email, portalOrigin(session), invited.value));
    return {
      ok: true,
      json: { id: encodeId("inv", invited.value.id), email, role, link },
      text: `${email} is invited as ${role} until ${timeText(invited.value.expiresAt)}. The link of the mail, which works for this address alone:\n${link}`,
    };
  });

export const membersRole = (session: Session, accountId: Uuid, email: string, role: Role): Promise<Report> =>
  onMember(session, accountId, email, async (personId) => {
    const changed = await makeMembers(session).changeRole(byOf(session), accountId, personId, role);
    if (!changed.ok) return refusedReport(changed.error);
    return { ok: true, json: { email, role }, text: `${email} has the role ${role}.` };
  });

export const membersRemove = (session: Session, accountId: Uuid, email: string): Promise<Report> =>
  ofAccount(session.db, accountId, async () => {
    const service = makeMembers(session);
    const open = await service.invitations(byOf(session), accountId);
    const invitation = open.ok ? open.value.find((one) => one.email === email) : undefined;
    const report = { ok: true, json: { email }, text: `${email} is not a member of the account any more.` };
    if (invitation) {
      const withdrawn = await service.withdraw(byOf(session), accountId, invitation.id);
      return withdrawn.ok ? report : refusedReport(withdrawn.error);
    }
    return onMember(session, accountId, email, async (personId) => {
      const removed = await service.remove(byOf(session), accountId, personId);
      return removed.ok ? report : refusedReport(removed.error);
    });
  });

const onMember = (session: Session, accountId: Uuid, email: string, act: (personId: Uuid) => Promise<Report>) =>
  ofAccount(session.db, accountId, async () => {
    const members = await makeMembers(session).list(byOf(session), accountId);
    const member = members.ok ? members.value.find((one) => one.email === email) : undefined;
    return member
      ? act(member.personId)
      : refusedReport(refusal("not_found", `${email} is not a member of this account.`));
  });

export async function signupsList(db: Db): Promise<Report> {
  const waiting = await awaitingApproval(db);
  return {
    ok: true,
    json: {
      signups: waiting.map(({ email, name, createdAt }) => ({ email, name, created_at: createdAt.toISOString() })),
    },
    text:
      waiting.length > 0
        ? tableText(
            ["EMAIL", "SINCE", "NAME"],
            waiting.map(({ email, name, createdAt }) => [email, timeText(createdAt), name]),
          )
        : "Nobody waits for approval.",
  };
}

export async function signupsDecide(session: Session, email: string, what: "approve" | "refuse"): Promise<Report> {
  const { db, clock, config, operator } = session;
  const rule = signUpRuleOf(config.file, !config.production);
  const signUps = makeSignUps({ db, clock, config: onOffer(config.file), rule });
  const id = await signUps[what](operator, email);
  if (id === undefined)
    return refusedReport(refusal("not_found", `Nobody waits with the address ${email}: ./afara signups list`));
  if (what === "approve") await writeTo(session, approvalMail(email, portalOrigin(session)));
  const done = what === "approve" ? "may sign in" : "is forgotten";
  return { ok: true, json: { id: encodeId("usr", id), email, done: what }, text: `${email} ${done}.` };
}
