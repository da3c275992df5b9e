import { Button, Skeleton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { becomeOperator, checkOperatorLink } from "../../api/own.ts";
import { problemOf } from "../../api/problem.ts";
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
  const link = useQuery({
    queryKey: ["operator-link", token, person?.id],
    queryFn: async () => {
      await checkOperatorLink(token);
      return true;
    },
    enabled: person != null,
    staleTime: Number.POSITIVE_INFINITY, // until it is taken
  });
  if (session.error)
    return (
      <Door title={TITLE} line="Your session could not be read.">
        <ProblemView error={session.error} again={() => void session.refetch()} />
      </Door>
    );
  if (person === undefined || (person !== null && link.isPending))
    return (
      <Door title={TITLE} line="One moment.">
        <Skeleton height={88} />
      </Door>
    );
  if (person === null) return <Enter token={token} />;
  if (accept.isSuccess) return <Accepted isOperator={session.data?.operator === true} />;
  if (link.error) return <NotTheirs email={person.email} error={link.error} again={() => void link.refetch()} />;
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

function NotTheirs({ email, error, again }: { email: string; error: Error; again: () => void }) {
  if (problemOf(error).code !== "link_not_valid")
    return (
      <Door title={TITLE} line="The link could not be checked.">
        <ProblemView error={error} again={again} />
      </Door>
    );
  return (
    <Door
      title="This link is not valid"
      line={
        <>
          It was used, is too old, or is for another address: you are signed in as <strong>{email}</strong>. Whoever
          runs this gateway can make a new one.
        </>
      }
    >
      <LinkButton to="/" fullWidth>
        Go to your home
      </LinkButton>
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
