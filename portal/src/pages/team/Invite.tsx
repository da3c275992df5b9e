import { Button, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { type Account, type Role, useSession } from "../../api/session.ts";
import { inviteMember } from "../../api/team.ts";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";
import { RoleChoice } from "./RoleChoice.tsx";
import { useTeamAct } from "./team.queries.ts";

interface InviteProps {
  readonly account: Account;
  readonly opened: boolean;
  readonly close: () => void;
}

export const Invite = ({ account, opened, close }: InviteProps) => (
  <Modal
    opened={opened}
    onClose={close}
    title={`Invite to ${account.name}`}
    closeButtonProps={{ "aria-label": "Close" }}
  >
    <InviteForm account={account} close={close} />
  </Modal>
);

function InviteForm({ account, close }: Omit<InviteProps, "opened">) {
  const [email, setEmail] = useState("");
  const isLocal = useSession().data?.gateway.local === true;
  const [role, choose] = useState<Role>("viewer");
  const invite = useTeamAct(
    account,
    (to: string) => inviteMember(account.id, to, role),
    (to) => {
      toast(isLocal ? `The mail to ${to} stands in the outbox.` : `A mail is on its way to ${to}.`);
      close();
    },
  );
  const problem = invite.error ? problemOf(invite.error) : undefined;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate(email.trim());
      }}
    >
      <TextInput
        type="email"
        label="E-mail"
        description="The link in the mail works for seven days, for this address alone."
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="off"
        required
        withAsterisk={false}
        error={problem?.of("/email")}
        data-autofocus
      />
      <RoleChoice role={role} choose={choose} error={problem?.of("/role")} />
      <FormProblem error={invite.error} fields={["/email", "/role"]} />
      <Button type="submit" loading={invite.isPending}>
        Send the invitation
      </Button>
    </form>
  );
}
