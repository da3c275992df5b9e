import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changePassword } from "../../api/own.ts";
import { problemOf } from "../../api/problem.ts";
import { useRenewSession } from "../../api/session.ts";
import { PasswordField } from "../../pieces/PasswordField.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";
import styles from "./You.module.css";

const FIELDS = ["/currentPassword", "/newPassword"];

export function ChangePassword({ email }: { readonly email: string }) {
  const renew = useRenewSession();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const fields = new FormData(form);
      await changePassword(String(fields.get("current")), String(fields.get("new")));
      form.reset();
      await renew(); // this session has a new token, and the others have ended
      await queries.invalidateQueries({ queryKey: ["own"] });
      toast("Your password is changed.");
    },
  });
  const problem = change.error ? problemOf(change.error) : undefined;
  const isWrong = problem?.code === "wrong_credentials";
  return (
    <form
      className={`stack ${styles.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(event.currentTarget);
      }}
    >
      <p className="soft">All your other sessions end with it.</p>
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        name="current"
        label="Current password"
        error={isWrong ? problem.message : problem?.of("/currentPassword")}
      />
      <PasswordField name="new" label="New password" isNew error={problem?.of("/newPassword")} />
      {!isWrong && <FormProblem error={change.error} fields={FIELDS} />}
      <div>
        <Button type="submit" loading={change.isPending}>
          Change the password
        </Button>
      </div>
    </form>
  );
}
