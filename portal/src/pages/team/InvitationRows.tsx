import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Account, useSession } from "../../api/session.ts";
import { type Invitation, withdrawInvitation } from "../../api/team.ts";
import { Confirm } from "../../pieces/Confirm.tsx";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import table from "../../pieces/Table.module.css";
import { TableHead } from "../../pieces/TableHead.tsx";
import { dayAndTime } from "../../pieces/time.ts";
import { toast } from "../../pieces/toast.ts";
import styles from "./Team.module.css";
import { useInvitations, useTeamAct } from "./team.queries.ts";

const HEADS = [
  { name: "Address" },
  { name: "Role", isWide: true },
  { name: "Open until", isWide: true },
  { name: "Actions", isHidden: true },
];

/** Who is invited and has not answered yet. */
export function InvitationRows({ account }: { readonly account: Account }) {
  const open = useInvitations(account);
  const isLocal = useSession().data?.gateway.local === true;
  const [leaving, setLeaving] = useState<Invitation>();
  const withdraw = useTeamAct(
    account,
    (invitation: Invitation) => withdrawInvitation(account.id, invitation.id),
    () => {
      toast("The invitation is withdrawn.");
      setLeaving(undefined);
    },
  );
  return (
    <section className={`card ${styles.section}`} aria-label="Open invitations">
      <h2>Open invitations</h2>
      {open.data ? (
        open.data.data.length === 0 ? (
          <p className="soft">None. Whoever is invited stands here until they answer, for seven days at most.</p>
        ) : (
          <>
            {isLocal && (
              <p className="soft">
                This gateway is local and sends no mail: their links are in the <Link to="/outbox">outbox</Link>.
              </p>
            )}
            <Rows invitations={open.data.data} withdraw={setLeaving} />
          </>
        )
      ) : open.error ? (
        <ProblemView error={open.error} again={() => void open.refetch()} />
      ) : (
        <SkeletonRows count={1} />
      )}
      <Confirm
        opened={leaving !== undefined}
        title={`Withdraw the invitation of ${leaving?.email ?? ""}`}
        action="Withdraw"
        isBusy={withdraw.isPending}
        error={withdraw.error}
        onConfirm={() => leaving && withdraw.mutate(leaving)}
        onClose={() => {
          withdraw.reset();
          setLeaving(undefined);
        }}
      >
        <p>The link in their mail no longer works from now on. You can invite them again.</p>
      </Confirm>
    </section>
  );
}

interface RowsProps {
  readonly invitations: readonly Invitation[];
  readonly withdraw: (invitation: Invitation) => void;
}

const Rows = ({ invitations, withdraw }: RowsProps) => (
  <table className={table.table}>
    <TableHead heads={HEADS} />
    <tbody>
      {invitations.map((invitation) => (
        <tr key={invitation.id}>
          <td className={styles.who}>
            {invitation.email}
            <span className={`${table.narrow} soft`}>{invitation.role}</span>
          </td>
          <td className={table.wide}>{invitation.role}</td>
          <td className={`${table.wide} number`}>{dayAndTime(invitation.expires_at)}</td>
          <td className={table.end}>
            <Button
              variant="default"
              size="xs"
              onClick={() => withdraw(invitation)}
              aria-label={`Withdraw the invitation of ${invitation.email}`}
            >
              Withdraw
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
