import type { Db } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { encodeId } from "../kernel/ids.ts";
import type { LocalLinks } from "./local-link.ts";
import { linksIn } from "./mail.ts";
import { PAGES } from "./mails.ts";
import { listMails } from "./outbox.repo.ts";
import { LocalLink } from "./people.schemas.ts";
import type { SignUpRule } from "./sign-ups.ts";
import type { SignedIn } from "./signed-in.ts";
import type { Visits } from "./visitor.replies.ts";

export interface SessionRoutesOptions {
  readonly db: Db;
  readonly find: (cookies: string) => Promise<SignedIn | undefined>;
  readonly visits: Visits;
  readonly localLinks: LocalLinks;
  readonly isLocal: boolean;
  readonly signUp: SignUpRule;
}

/** The link that the terminal of a local gateway shows. */
export const LOCAL_LINK = "/portal/api/local-sign-in";

/** Who is signed in; and, on a local gateway, the mails. */
export function sessionRoutes(app: Http, options: SessionRoutesOptions): void {
  const { db, find, visits, localLinks, isLocal, signUp } = options;
  app.get("/portal/api/session", { config: { auth: "public" }, schema: { hide: true } }, async (request) => {
    const signedIn = await find(request.headers.cookie ?? "");
    return {
      object: "session",
      person: signedIn ? personView(signedIn) : null,
      operator: signedIn?.person.isOperator === true,
      csrf_token: signedIn?.csrfToken ?? null,
      accounts: (signedIn?.memberships ?? []).map(({ accountId, accountName, role }) => ({
        id: encodeId("acc", accountId),
        name: accountName,
        role,
      })),
      gateway: { local: isLocal, sign_up: signUp },
    };
  });

  if (!isLocal) return;
  app.get(
    LOCAL_LINK,
    { config: { auth: "public" }, schema: { hide: true, querystring: LocalLink } },
    async (request, reply) => {
      const from = visits.local(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const cookie = await localLinks.enter(request.query.token, from.value);
      if (cookie === undefined) return reply.redirect(`${PAGES.signIn}?error=local_link_not_valid`);
      return reply.header("set-cookie", cookie).redirect(PAGES.home);
    },
  );
  app.get("/portal/api/outbox", { config: { auth: "public" }, schema: { hide: true } }, async (request, reply) => {
    const from = visits.local(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const data = (await listMails(db)).map(({ id, to, subject, text, at }) => ({
      id,
      to,
      subject,
      text,
      links: linksIn(text),
      at: at.toISOString(),
    }));
    return reply.send({ object: "list", data });
  });
}

const personView = ({ person }: SignedIn) => ({
  id: encodeId("usr", person.id),
  name: person.name,
  email: person.email,
  email_verified: person.emailVerified,
  two_factor: person.twoFactor,
  has_password: person.hasPassword,
  passkeys: person.passkeys,
});
