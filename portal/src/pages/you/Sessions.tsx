import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endSession, listSessions, type PortalSession } from "../../api/own.ts";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { FormProblem, ProblemView } from "../../pieces/ProblemView.tsx";
import { Pill } from "../../pieces/StatusPill.tsx";
import table from "../../pieces/Table.module.css";
import { TableHead } from "../../pieces/TableHead.tsx";
import { dayAndTime } from "../../pieces/time.ts";
import { toast } from "../../pieces/toast.ts";
import { deviceOf } from "./device.ts";

const HEADS = [
  { name: "Where" },
  { name: "Since", isWide: true },
  { name: "Last used", isWide: true },
  { name: "Actions", isHidden: true },
];

const SESSIONS = ["own", "sessions"];

/** Where the person is signed in. Whatever they don't know, they end. */
export function Sessions() {
  const queries = useQueryClient();
  const sessions = useQuery({ queryKey: SESSIONS, queryFn: listSessions });
  const end = useMutation({
    mutationFn: async (id: string) => {
      await endSession(id);
      await queries.invalidateQueries({ queryKey: SESSIONS });
      toast("The session has ended.");
    },
  });
  if (sessions.error) return <ProblemView error={sessions.error} again={() => void sessions.refetch()} />;
  if (!sessions.data) return <SkeletonRows count={2} height={52} />;
  return (
    <>
      <table className={table.table}>
        <TableHead heads={HEADS} />
        <tbody>
          {sessions.data.data.map((session) => (
            <Row key={session.id} session={session} end={end} />
          ))}
        </tbody>
      </table>
      <FormProblem error={end.error} fields={[]} />
    </>
  );
}

interface RowProps {
  readonly session: PortalSession;
  readonly end: { readonly isPending: boolean; readonly variables: string | undefined; mutate(id: string): void };
}

function Row({ session, end }: RowProps) {
  const device = deviceOf(session.user_agent);
  return (
    <tr>
      <td>
        {device}
        <p className="soft number">{session.ip_address ?? "address unknown"}</p>
        <span className={`${table.narrow} soft number`}>used {dayAndTime(session.last_used_at)}</span>
      </td>
      <td className={`${table.wide} number`}>{dayAndTime(session.created_at)}</td>
      <td className={`${table.wide} number`}>{dayAndTime(session.last_used_at)}</td>
      <td className={table.end}>
        {session.current ? (
          <Pill tone="done" icon="check">
            this one
          </Pill>
        ) : (
          <Button
            variant="default"
            size="xs"
            loading={end.isPending && end.variables === session.id}
            onClick={() => end.mutate(session.id)}
            aria-label={`End the session: ${device}, since ${dayAndTime(session.created_at)}`}
          >
            End
          </Button>
        )}
      </td>
    </tr>
  );
}
