import { LOCAL_OWNER } from "../people/local-link.repo.ts";
import { operatorLink } from "../people/mails.ts";
import type { StoredOperator } from "../people/operators.repo.ts";
import { makeOperators } from "../people/operators.service.ts";
import type { Session } from "./cli.ts";
import { portalOrigin } from "./portal-origin.ts";
import { type Report, refusedReport, tableText, timeText } from "./report.ts";

export async function operatorInvite(session: Session, email: string): Promise<Report> {
  const invited = await makeOperators(session).invite(session.operator, email);
  if (!invited.ok) return refusedReport(invited.error);
  const { token, expiresAt } = invited.value;
  const link = operatorLink(portalOrigin(session), token);
  return {
    ok: true,
    json: { email, link, expires_at: expiresAt.toISOString() },
    text: `The link works once, until ${timeText(expiresAt)}, for ${email} alone, who needs a passkey, or a second factor beside the password:\n${link}`,
  };
}

export async function operatorList(session: Session): Promise<Report> {
  const operators = await makeOperators(session).list(!session.config.production);
  return {
    ok: true,
    json: {
      operators: operators.map((operator) => ({
        email: operator.email,
        state: stateOf(operator),
        expires_at: operator.linkExpiresAt?.toISOString() ?? null,
      })),
    },
    text:
      operators.length === 0
        ? "Nobody yet: ./afara operator invite EMAIL"
        : tableText(
            ["EMAIL", "STATE", ""],
            operators.map((operator) => [
              operator.email === LOCAL_OWNER ? "the owner of the local account" : operator.email,
              WORDS[stateOf(operator)],
              operator.linkExpiresAt ? `until ${timeText(operator.linkExpiresAt)}` : "",
            ]),
          ),
  };
}

export async function operatorRemove(session: Session, email: string): Promise<Report> {
  const removed = await makeOperators(session).remove(session.operator, email);
  if (!removed.ok) return refusedReport(removed.error);
  const text = removed.value.wasInvited
    ? `The invitation of ${email} is withdrawn.`
    : `${email} is no operator any more.`;
  return { ok: true, json: { email }, text };
}

const WORDS = {
  invited: "invited",
  no_second_factor: "has no passkey and no second factor yet",
  operator: "operator",
} as const;

function stateOf({ personId, hasSecondFactor }: StoredOperator): keyof typeof WORDS {
  if (personId === null) return "invited";
  return hasSecondFactor ? "operator" : "no_second_factor";
}
