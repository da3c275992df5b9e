import { Button } from "@mantine/core";
import { useState } from "react";
import { type Account, useAccount, useMay } from "../../api/session.ts";
import { Icon } from "../../pieces/Icon.tsx";
import { Page, SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { ChangeMember } from "./ChangeMember.tsx";
import type { Change } from "./change.ts";
import { InvitationRows } from "./InvitationRows.tsx";
import { Invite } from "./Invite.tsx";
import { MemberRows } from "./MemberRows.tsx";
import styles from "./Team.module.css";
import { useMembers } from "./team.queries.ts";

export function Team() {
  const account = useAccount();
  return account ? (
    <TeamOf key={account.id} account={account} />
  ) : (
    <Page title="Team" line="Who works in an account, and what each may do.">
      <p className="card">You belong to no account yet.</p>
    </Page>
  );
}

function TeamOf({ account }: { readonly account: Account }) {
  const members = useMembers(account);
  const mayManage = useMay("team");
  const [isInviting, setInviting] = useState(false);
  const [change, setChange] = useState<Change>();
  return (
    <Page
      title="Team"
      line={`Who works in ${account.name}, and what each may do.`}
      action={
        mayManage && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
            Invite
          </Button>
        )
      }
    >
      <section className={`card ${styles.section}`} aria-label="Members">
        {members.data ? (
          <MemberRows members={members.data.data} mayManage={mayManage} change={setChange} />
        ) : members.error ? (
          <ProblemView error={members.error} again={() => void members.refetch()} />
        ) : (
          <SkeletonRows count={3} height={52} />
        )}
      </section>
      {mayManage ? (
        <InvitationRows account={account} />
      ) : (
        <p className="soft">An owner invites people and decides what they may do.</p>
      )}
      <Invite account={account} opened={isInviting} close={() => setInviting(false)} />
      <ChangeMember account={account} change={change} close={() => setChange(undefined)} />
    </Page>
  );
}
