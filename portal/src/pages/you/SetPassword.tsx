import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { setPassword } from "../../api/own.ts";
import { problemOf } from "../../api/problem.ts";
import { useRenewSession } from "../../api/session.ts";
import { PasswordField } from "../../pieces/PasswordField.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";
import styles from "./You.module.css";

/** For the owner of a local account, who came by the link of its terminal. */
export function SetPassword({ email }: { readonly email: string }) {
  const renew = useRenewSession();
  const set = useMutation({
    mutationFn: async (fields: FormData) => {
      await setPassword(String(fields.get("new")));
      await renew();
      toast("Your password is set.");
    },
  });
  return (
    <form
      className={`stack ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate(new FormData(event.currentTarget));
      }}
    >
      <p className="soft">
        You have none: the link that the gateway prints lets you in. With one you sign in as {email}.
      </p>
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        name="new"
        label="New password"
        isNew
        error={set.error ? problemOf(set.error).of("/newPassword") : undefined}
      />
      <FormProblem error={set.error} fields={["/newPassword"]} />
      <div>
        <Button type="submit" loading={set.isPending}>
          Set a password
        </Button>
      </div>
    </form>
  );
}
