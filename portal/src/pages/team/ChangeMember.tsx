import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { type Account, type Role, useRenewSession, useSession } from "../../api/session.ts";
import { changeRole, type Member, removeMember } from "../../api/team.ts";
import { Confirm } from "../../pieces/Confirm.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { toast } from "../../pieces/toast.ts";
import type { Change } from "./change.ts";
import { MadeKeys } from "./MadeKeys.tsx";
import { RoleChoice } from "./RoleChoice.tsx";
import { useTeamAct } from "./team.queries.ts";

interface ChangeProps {
  readonly account: Account;
  readonly change: Change | undefined;
  readonly close: () => void;
}

/** Another role for a member, or none any more. */
export function ChangeMember({ account, change, close }: ChangeProps) {
  const renew = useRenewSession();
  const [endsKeys, setEndsKeys] = useState(false);
  const remove = useTeamAct(
    account,
    ({ member }: Change) => removeMember(account.id, member.id, endsKeys),
    async ({ member, how }) => {
      if (how === "leave") await renew();
      toast(how === "leave" ? `You have left ${account.name}.` : `${member.name} is removed.`);
      leave();
    },
  );
  const leave = () => {
    remove.reset();
    setEndsKeys(false);
    close();
  };
  const name = change?.member.name ?? "";
  const isLeaving = change?.how === "leave";
  return (
    <>
      <Modal
        opened={change?.how === "role"}
        onClose={close}
        title={`Role of ${name}`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {change && <RoleForm key={change.member.id} account={account} member={change.member} close={close} />}
      </Modal>
      <Confirm
        opened={isLeaving || change?.how === "remove"}
        title={isLeaving ? `Leave ${account.name}` : `Remove ${name}`}
        action={isLeaving ? "Leave the account" : "Remove"}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => change && remove.mutate(change)}
        onClose={leave}
      >
        <p>
          {isLeaving
            ? "You no longer see it from now on. Only a new invitation lets you back in."
            : `${change?.member.email} no longer sees ${account.name} from now on.`}
        </p>
        {change && change.how !== "role" && (
          <MadeKeys account={account} member={change.member} ends={endsKeys} choose={setEndsKeys} />
        )}
      </Confirm>
    </>
  );
}

interface FormProps {
  readonly account: Account;
  readonly member: Member;
  readonly close: () => void;
}

function RoleForm({ account, member, close }: FormProps) {
  const own = useSession().data?.person?.id;
  const renew = useRenewSession();
  const [role, choose] = useState<Role>(member.role);
  const save = useTeamAct(
    account,
    (wanted: Role) => changeRole(account.id, member.id, wanted),
    async (wanted) => {
      if (member.id === own) await renew();
      toast(`${member.name} is ${wanted} now.`);
      close();
    },
  );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(role);
      }}
    >
      <RoleChoice role={role} choose={choose} error={save.error ? problemOf(save.error).of("/role") : undefined} />
      <FormProblem error={save.error} fields={["/role"]} />
      <Button type="submit" loading={save.isPending} disabled={role === member.role}>
        Change the role
      </Button>
    </form>
  );
}
