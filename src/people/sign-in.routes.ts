import type { FastifyReply } from "fastify";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { BASE_PATH } from "./library.ts";
import { NEEDS_PASSWORD } from "./library-refusals.ts";
import { PAGES } from "./mails.ts";
import * as schemas from "./people.schemas.ts";
import type { SignIns } from "./sign-ins.service.ts";
import { answer, type Visits } from "./visitor.replies.ts";

/** Signing up and in, as people do it who are nobody yet. The paths are better-auth's. */
export function signInRoutes(
  app: Http,
  { visits, signIns }: { readonly visits: Visits; readonly signIns: SignIns },
): void {
  const options = <Body>(body: Body) => ({
    config: { auth: "public" as const },
    bodyLimit: BODY_BYTES,
    schema: { hide: true, body },
  });

  app.post(`${BASE_PATH}/sign-up/email`, options(schemas.SignUp), async (request, reply) => {
    const from = visits.ownPage(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    return answer(reply, await signIns.signUp(from.value, request.body), { object: "sign_up", status: "mail_sent" });
  });

  app.post(`${BASE_PATH}/sign-in/email`, options(schemas.SignIn), async (request, reply) => {
    const from = visits.ownPage(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const { email, password } = request.body;
    return signedIn(reply, await signIns.signIn(from.value, email, password));
  });

  for (const kind of ["verify-totp", "verify-backup-code"] as const)
    app.post(`${BASE_PATH}/two-factor/${kind}`, options(schemas.SecondFactor), async (request, reply) => {
      const from = visits.ownPage(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      return signedIn(reply, await signIns.secondFactor(from.value, kind, request.body.code));
    });

  app.post(`${BASE_PATH}/send-verification-email`, options(schemas.VerificationMail), async (request, reply) => {
    const from = visits.ownPage(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    return answer(reply, await signIns.sendVerification(from.value, request.body.email), MAIL);
  });

  app.post(`${BASE_PATH}/verify-email`, options(schemas.VerifyEmail), async (request, reply) => {
    const from = visits.ownPage(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const verified = await signIns.verify(from.value, request.body.token, request.body.password);
    return answer(reply, verified, { object: "verification", signed_in: verified.ok && verified.value.isSignedIn });
  });

  // The link in the mail.
  app.get(
    `${BASE_PATH}/verify-email`,
    { config: { auth: "public" }, schema: { hide: true, querystring: schemas.VerifyLink } },
    async (request, reply) => {
      const from = visits.visitor(request);
      if (!from.ok) return sendRefusal(reply, from.error);
      const verified = await signIns.verify(from.value, request.query.token);
      if (!verified.ok && verified.error === NEEDS_PASSWORD)
        return reply.redirect(`${PAGES.confirm}?token=${encodeURIComponent(request.query.token)}`);
      if (!verified.ok) return reply.redirect(`${PAGES.signIn}?error=${verified.error.code}`);
      reply.header("set-cookie", verified.value.cookies);
      return reply.redirect(verified.value.isSignedIn ? PAGES.home : `${PAGES.signIn}?verified=true`);
    },
  );

  app.post(`${BASE_PATH}/request-password-reset`, options(schemas.ResetMail), async (request, reply) => {
    const from = visits.ownPage(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    return answer(reply, await signIns.requestReset(from.value, request.body.email), MAIL);
  });

  app.post(`${BASE_PATH}/reset-password`, options(schemas.Reset), async (request, reply) => {
    const from = visits.ownPage(request);
    if (!from.ok) return sendRefusal(reply, from.error);
    const { token, newPassword } = request.body;
    return answer(reply, await signIns.reset(from.value, token, newPassword), { object: "password_reset" });
  });
}

/** More than any of the bodies has. */
export const BODY_BYTES = 8 * 1024;
const MAIL = { object: "mail_request", status: "mail_sent" };

type Entered = Awaited<ReturnType<SignIns["signIn"]>>;

const signedIn = (reply: FastifyReply, entered: Entered) =>
  answer(reply, entered, {
    object: "sign_in",
    twoFactorRedirect: entered.ok && entered.value.body.twoFactorRedirect === true,
  });
