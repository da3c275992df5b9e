import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { sendVerification } from "../../api/auth.ts";
import { useSession } from "../../api/session.ts";
import { Door } from "../../frame/Door.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";

export function Verify() {
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
