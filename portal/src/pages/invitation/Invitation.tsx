import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useSession } from "../../api/session.ts";
import { listOwnInvitations } from "../../api/team.ts";
import { Door } from "../../frame/Door.tsx";
import { LinkButton } from "../../pieces/LinkButton.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { Answer } from "./Answer.tsx";
import { OtherAddress } from "./OtherAddress.tsx";

/** Where the mail of an invitation leads: to the sign-in first, then to the answer. */
export function Invitation() {
  const { id, email } = useSearch({ from: "/invitation" });
  const session = useSession();
  const person = session.data?.person;
  if (session.error) return <Failed error={session.error} again={() => void session.refetch()} />;
  if (person === undefined) return <Waiting />;
  if (person === null) return <Enter id={id} email={email} />;
  if (email !== undefined && email.toLowerCase() !== person.email)
    return <OtherAddress invited={email} own={person.email} />;
  return <Found id={id} own={person.email} />;
}

function Enter({ id, email }: { readonly id: string | undefined; readonly email: string | undefined }) {
  const next = `/invitation?${new URLSearchParams({ ...(id && { id }), ...(email && { email }) })}`;
  const search = { next, ...(email && { email }) };
  return (
    <Door
      title="You are invited"
      line={
        <>
          The invitation went to <strong>{email ?? "your address"}</strong>. Sign in with this address to answer it, or
          create an account with it.
        </>
      }
    >
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

function Found({ id, own }: { readonly id: string | undefined; readonly own: string }) {
  const open = useQuery({ queryKey: ["invitations", own], queryFn: listOwnInvitations });
  if (open.error) return <Failed error={open.error} again={() => void open.refetch()} />;
  if (!open.data) return <Waiting />;
  const invitation = open.data.data.find((one) => one.id === id);
  return invitation ? <Answer invitation={invitation} /> : <Gone />;
}

const Gone = () => (
  <Door
    title="This invitation is over"
    line="It was answered or withdrawn, a newer one took its place, or it is older than seven days. Ask an owner of the account for another."
  >
    <LinkButton to="/" fullWidth>
      Go to your home
    </LinkButton>
  </Door>
);

const Waiting = () => (
  <Door title="You are invited" line="One moment.">
    <Skeleton height={88} />
  </Door>
);

const Failed = ({ error, again }: { readonly error: unknown; readonly again: () => void }) => (
  <Door title="You are invited" line="The invitation could not be read.">
    <ProblemView error={error} again={again} />
  </Door>
);
