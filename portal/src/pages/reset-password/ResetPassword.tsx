import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { requestReset, resetPassword } from "../../api/auth.ts";
import { problemOf } from "../../api/problem.ts";
import { useSession } from "../../api/session.ts";
import { Door } from "../../frame/Door.tsx";
import { EmailField } from "../../pieces/EmailField.tsx";
import { PasswordField } from "../../pieces/PasswordField.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";

/** First the address that the link is sent to; with the link's token the new password. */
export function ResetPassword() {
  const { token } = useSearch({ from: "/reset-password" });
  return token ? <NewPassword token={token} /> : <AskForLink />;
}

const BACK = <Link to="/sign-in">Back to sign in</Link>;

function AskForLink() {
  const session = useSession();
  const form = useMutation({ mutationFn: (fields: FormData) => requestReset(String(fields.get("email"))) });
  if (form.isSuccess)
    return (
      <Door
        title="Look at your mail"
        line="If there is an account with this address, a link is on its way to it."
        foot={BACK}
      >
        {session.data?.gateway.local && (
          <Button component={Link} to="/outbox" fullWidth>
            Open the outbox
          </Button>
        )}
      </Door>
    );
  return (
    <Door title="Reset your password" line="We send a link to your address. It works once, for an hour." foot={BACK}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          form.mutate(new FormData(event.currentTarget));
        }}
      >
        <EmailField />
        <FormProblem error={form.error} fields={[]} />
        <Button type="submit" loading={form.isPending} fullWidth>
          Send the link
        </Button>
      </form>
    </Door>
  );
}

function NewPassword({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const form = useMutation({
    mutationFn: async (fields: FormData) => {
      await resetPassword(token, String(fields.get("password")));
      toast("Your password is changed. Sign in with it.");
      await navigate({ to: "/sign-in", search: {} });
    },
  });
  const problem = form.error ? problemOf(form.error) : undefined;
  return (
    <Door title="Choose a new password" line="All your sessions end, so whoever else was signed in is out." foot={BACK}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          form.mutate(new FormData(event.currentTarget));
        }}
      >
        <PasswordField name="password" label="New password" isNew error={problem?.of("/newPassword")} />
        <FormProblem error={form.error} fields={["/newPassword"]} />
        <Button type="submit" loading={form.isPending} fullWidth>
          Change the password
        </Button>
      </form>
    </Door>
  );
}
