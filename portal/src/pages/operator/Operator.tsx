import { Button, Skeleton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { becomeOperator } from "../../api/own.ts";
import { useRenewSession, useSession } from "../../api/session.ts";
import { Door } from "../../frame/Door.tsx";
import { LinkButton } from "../../pieces/LinkButton.tsx";
import { FormProblem, ProblemView } from "../../pieces/ProblemView.tsx";

const TITLE = "Run this gateway";

/** Where the link of `./afara operator invite` leads. */
export function Operator() {
  const { token = "" } = useSearch({ from: "/operator" });
  const session = useSession();
  const renew = useRenewSession();
  const accept = useMutation({
    mutationFn: async () => {
      await becomeOperator(token);
      await renew();
    },
  });
  const person = session.data?.person;
  if (session.error)
    return (
      <Door title={TITLE} line="Your session could not be read.">
        <ProblemView error={session.error} again={() => void session.refetch()} />
      </Door>
    );
  if (person === undefined)
    return (
      <Door title={TITLE} line="One moment.">
        <Skeleton height={88} />
      </Door>
    );
  if (person === null) return <Enter token={token} />;
  if (accept.isSuccess) return <Accepted isOperator={session.data?.operator === true} />;
  return (
    <Door
      title={TITLE}
      line={
        <>
          You are invited as an operator, signed in as <strong>{person.email}</strong>. Your sessions will end after an
          hour without use, and after eight hours with.
        </>
      }
    >
      <div className="stack">
        <FormProblem error={accept.error} fields={[]} />
        <Button onClick={() => accept.mutate()} loading={accept.isPending} fullWidth>
          Become an operator
        </Button>
      </div>
    </Door>
  );
}

function Enter({ token }: { readonly token: string }) {
  const search = { next: `/operator?${new URLSearchParams({ token })}` };
  return (
    <Door title={TITLE} line="Sign in with the address that the invitation is for, or create an account with it.">
      <div className="stack">
        <LinkButton to="/sign-in" search={search} fullWidth>
          Sign in
        </LinkButton>
        <LinkButton to="/sign-up" search={search} variant="default" fullWidth>
          Create an account
        </LinkButton>
      </div>
    </Door>
  );
}

const Accepted = ({ isOperator }: { readonly isOperator: boolean }) =>
  isOperator ? (
    <Door title="You are an operator" line="You run this gateway from now on.">
      <LinkButton to="/" fullWidth>
        Go to your home
      </LinkButton>
    </Door>
  ) : (
    <Door
      title="One thing is missing"
      line="You are an operator as soon as you have a passkey, or a second factor beside your password."
    >
      <LinkButton to="/you" fullWidth>
        Add one
      </LinkButton>
    </Door>
  );
