import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { goTo } from "../../api/place.ts";
import { useRenewSession } from "../../api/session.ts";
import { acceptInvitation, declineInvitation, type Invitation } from "../../api/team.ts";
import { Door } from "../../frame/Door.tsx";
import { FormProblem } from "../../pieces/ProblemView.tsx";
import { ROLES } from "../../pieces/roles.ts";
import { dayAndTime } from "../../pieces/time.ts";
import { toast } from "../../pieces/toast.ts";
import styles from "./Answer.module.css";

export function Answer({ invitation: { id, account, role, expires_at } }: { readonly invitation: Invitation }) {
  const navigate = useNavigate();
  const renew = useRenewSession();
  const leave = async (message: string) => {
    await navigate({ to: "/" });
    toast(message);
  };
  const accept = useMutation({
    mutationFn: async () => {
      const joined = await acceptInvitation(id);
      await renew();
      goTo({ account: joined.account });
      await leave(`You are in ${account.name}.`);
    },
  });
  const decline = useMutation({
    mutationFn: async () => {
      await declineInvitation(id);
      await renew();
      await leave("The invitation is declined.");
    },
  });
  const isBusy = accept.isPending || decline.isPending;
  return (
    <Door title="You are invited" line="Say whether you want to work in this account.">
      <dl className={`card ${styles.facts}`}>
        <div>
          <dt className="soft">Account</dt>
          <dd>
            <strong>{account.name}</strong>
          </dd>
        </div>
        <div>
          <dt className="soft">Your role</dt>
          <dd>
            <strong>{role}</strong>
            <p className="soft">{ROLES[role]}</p>
          </dd>
        </div>
        <div>
          <dt className="soft">Open until</dt>
          <dd className="number">{dayAndTime(expires_at)}</dd>
        </div>
      </dl>
      <div className="stack">
        <FormProblem error={accept.error ?? decline.error} fields={[]} />
        <Button loading={accept.isPending} disabled={isBusy} onClick={() => accept.mutate()} fullWidth>
          Accept
        </Button>
        <Button
          variant="default"
          loading={decline.isPending}
          disabled={isBusy}
          onClick={() => decline.mutate()}
          fullWidth
        >
          Decline
        </Button>
      </div>
    </Door>
  );
}
