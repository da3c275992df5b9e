import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Account } from "../../api/session.ts";
import { listKeysOf, type Member } from "../../api/team.ts";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import styles from "./Team.module.css";

interface MadeProps {
  readonly account: Account;
  readonly member: Member;
  readonly ends: boolean;
  readonly choose: (ends: boolean) => void;
}

/** The keys that go on working without the member who made them, unless they end in the same act. */
export function MadeKeys({ account, member, ends, choose }: MadeProps) {
  const keys = useQuery({
    queryKey: ["team", account.id, "keys", member.id],
    queryFn: () => listKeysOf(account.id, member.id),
    staleTime: 0,
  });
  if (keys.error) return <ProblemView error={keys.error} again={() => void keys.refetch()} />;
  if (!keys.data) return <SkeletonRows count={1} />;
  const made = keys.data.data;
  if (made.length === 0) return null;
  return (
    <div className={styles.made}>
      <p>Keys made in this account, which go on working:</p>
      <ul>
        {made.map(({ id, mode, starts, ends: last }) => (
          <li key={id}>
            <span className="mono">
              {starts}…{last}
            </span>{" "}
            <span className="soft">{mode}</span>
          </li>
        ))}
      </ul>
      <Checkbox
        label="Revoke them, too. Whatever calls with them is refused from then on."
        checked={ends}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </div>
  );
}
