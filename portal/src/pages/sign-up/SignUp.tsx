import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { signUp } from "../../api/auth.ts";
import { keepNext } from "../../api/next.ts";
import { problemOf } from "../../api/problem.ts";
import { useSession } from "../../api/session.ts";
import { Door } from "../../frame/Door.tsx";
import { EmailField } from "../../pieces/EmailField.tsx";
import { PasswordField } from "../../pieces/PasswordField.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";

const LINES = {
  open: "It is free, and starts in test mode with play money.",
  approval: "Whoever runs this gateway looks at each new account first.",
  invitation: "This gateway takes new accounts by invitation.",
} as const;

export function SignUp() {
  const { email: invited, next } = useSearch({ from: "/sign-up" });
  const navigate = useNavigate();
  const session = useSession();
  const kind = session.data?.gateway.sign_up ?? "open";
  const form = useMutation({
    mutationFn: async (fields: FormData) => {
      const email = String(fields.get("email"));
      await signUp({ name: String(fields.get("name")), email, password: String(fields.get("password")) });
      if (next) keepNext(email, next);
      await navigate({ to: "/verify", search: { email } });
    },
  });
  // Whether the address is invited indeed, the gateway knows.
  const isOpen = kind !== "invitation" || invited !== undefined;
  const problem = form.error ? problemOf(form.error) : undefined;
  return (
    <Door
      title="Create an account"
      line={invited === undefined ? LINES[kind] : "With the address that the invitation went to."}
      foot={
        <>
          Have one?{" "}
          <Link to="/sign-in" search={{ ...(next && { next }), ...(invited && { email: invited }) }}>
            Sign in
          </Link>
        </>
      }
    >
      {isOpen && (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            form.mutate(new FormData(event.currentTarget));
          }}
        >
          <TextInput
            name="name"
            label="Your name"
            autoComplete="name"
            required
            withAsterisk={false}
            error={problem?.of("/name")}
          />
          <EmailField known={invited} error={problem?.of("/email")} />
          <PasswordField name="password" label="Password" isNew error={problem?.of("/password")} />
          <FormProblem error={form.error} fields={["/name", "/email", "/password"]} />
          <Button type="submit" loading={form.isPending} fullWidth>
            Create an account
          </Button>
        </form>
      )}
    </Door>
  );
}
