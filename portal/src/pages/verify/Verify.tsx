import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { confirmAddress, sendVerification } from "../../api/auth.ts";
import { useRenewSession, useSession } from "../../api/session.ts";
import { Door } from "../../frame/Door.tsx";
import { PasswordField } from "../../pieces/PasswordField.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";

/** Until the mail's link is opened; with the link's token, in another browser than that of the sign-up, its password. */
export function Verify() {
  const { token } = useSearch({ from: "/verify" });
  return token ? <ConfirmAddress token={token} /> : <LookAtMail />;
}

function ConfirmAddress({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const renew = useRenewSession();
  const form = useMutation({
    mutationFn: async (fields: FormData) => {
      await confirmAddress(token, String(fields.get("password")));
      await renew();
      await navigate({ href: "/portal/" });
    },
  });
  return (
    <Door
      title="Confirm your address"
      line="Enter the password that you chose when you signed up. If you did not sign up, close this page."
      foot={<Link to="/sign-in">Back to sign in</Link>}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          form.mutate(new FormData(event.currentTarget));
        }}
      >
        <PasswordField name="password" label="Password" />
        <FormProblem error={form.error} fields={[]} />
        <Button type="submit" loading={form.isPending} fullWidth>
          Confirm
        </Button>
      </form>
    </Door>
  );
}

function LookAtMail() {
  const { email } = useSearch({ from: "/verify" });
  const session = useSession();
  const again = useMutation({ mutationFn: sendVerification, onSuccess: () => toast("The mail is sent again.") });
  return (
    <Door
      title="Look at your mail"
      line={
        <>
          A link is on its way to <strong>{email ?? "your address"}</strong>. It opens your account, and works once.
        </>
      }
      foot={
        <>
          Wrong address? <Link to="/sign-up">Create an account</Link> with another
        </>
      }
    >
      <div className="stack">
        {session.data?.gateway.local && (
          <Button component={Link} to="/outbox" fullWidth>
            Open the outbox
          </Button>
        )}
        {email && (
          <Button variant="default" loading={again.isPending} onClick={() => again.mutate(email)} fullWidth>
            Send it again
          </Button>
        )}
        <FormProblem error={again.error} fields={[]} />
      </div>
    </Door>
  );
}
