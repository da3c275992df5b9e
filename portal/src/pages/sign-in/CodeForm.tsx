import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { verifyBackupCode, verifyCode } from "../../api/auth.ts";
import { Door } from "../../frame/Door.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";

/** After the password: a code of the authenticator app, or one that was kept for the day when the phone is lost. */
export function CodeForm({ enter }: { readonly enter: () => Promise<void> }) {
  const [isLost, setLost] = useState(false);
  const form = useMutation({
    mutationFn: async (fields: FormData) => {
      const code = String(fields.get("code")).replaceAll(" ", "");
      await (isLost ? verifyBackupCode(code) : verifyCode(code));
      await enter();
    },
  });
  return (
    <Door
      title="Your second factor"
      line={
        isLost
          ? "Type one of the codes that you kept when you set it up. Each works once."
          : "Open your authenticator app and type the six digits that it shows for Afara."
      }
    >
      <form
        key={String(isLost)}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          form.mutate(new FormData(event.currentTarget));
        }}
      >
        <TextInput
          name="code"
          label="Code"
          {...(!isLost && { inputMode: "numeric" as const })}
          autoComplete={isLost ? "off" : "one-time-code"}
          required
          withAsterisk={false}
          autoFocus
        />
        <FormProblem error={form.error} fields={[]} />
        <Button type="submit" loading={form.isPending} fullWidth>
          Sign in
        </Button>
        <Button
          variant="subtle"
          onClick={() => {
            form.reset();
            setLost(!isLost);
          }}
          fullWidth
        >
          {isLost ? "Use the authenticator app" : "Lost your phone?"}
        </Button>
      </form>
    </Door>
  );
}
