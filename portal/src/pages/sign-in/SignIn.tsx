import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { signIn } from "../../api/auth.ts";
import { addressOf, keepNext } from "../../api/next.ts";
import { canUsePasskeys } from "../../api/passkeys.ts";
import { problemOf } from "../../api/problem.ts";
import { useRenewSession, useSession } from "../../api/session.ts";
import { Door } from "../../frame/Door.tsx";
import { EmailField } from "../../pieces/EmailField.tsx";
import { PasswordField } from "../../pieces/PasswordField.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { Arrival } from "./Arrival.tsx";
import { CodeForm } from "./CodeForm.tsx";
import { WithPasskey } from "./WithPasskey.tsx";

export function SignIn() {
  const { next } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const renew = useRenewSession();
  const [asksCode, setAsksCode] = useState(false);
  const enter = async () => {
    await renew();
    const address = addressOf(next);
    if (address.startsWith("/portal")) await navigate({ href: address });
    else location.assign(address);
  };
  return asksCode ? <CodeForm enter={enter} /> : <PasswordForm enter={enter} askCode={() => setAsksCode(true)} />;
}

function PasswordForm({ enter, askCode }: { readonly enter: () => Promise<void>; readonly askCode: () => void }) {
  const { next, email: known, verified, error } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const session = useSession();
  const form = useMutation({
    mutationFn: async (fields: FormData) => {
      const email = String(fields.get("email"));
      try {
        const { twoFactorRedirect } = (await signIn(email, String(fields.get("password")))) ?? {};
        await (twoFactorRedirect ? askCode() : enter());
      } catch (error) {
        if (!/email_not_verified/i.test(problemOf(error).code)) throw error;
        if (next) keepNext(email, next);
        await navigate({ to: "/verify", search: { email } });
      }
    },
  });
  const problem = form.error ? problemOf(form.error) : undefined;
  const isOpen = session.data?.gateway.sign_up !== "invitation";
  return (
    <Door
      title="Sign in"
      line="With the address that your account knows."
      foot={
        isOpen && (
          <>
            New here?{" "}
            <Link to="/sign-up" search={next ? { next } : {}}>
              Create an account
            </Link>
          </>
        )
      }
    >
      <Arrival isVerified={verified === true} error={error} />
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          form.mutate(new FormData(event.currentTarget));
        }}
      >
        <EmailField known={known} takesPasskeys error={problem?.of("/email")} />
        <PasswordField name="password" label="Password" error={problem?.of("/password")} />
        <FormProblem error={form.error} fields={["/email", "/password"]} />
        <Button type="submit" loading={form.isPending} fullWidth>
          Sign in
        </Button>
        <Link to="/reset-password">Forgot your password?</Link>
      </form>
      {canUsePasskeys() && <WithPasskey enter={enter} />}
    </Door>
  );
}
