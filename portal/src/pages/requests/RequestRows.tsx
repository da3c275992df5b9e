import { useNavigate } from "@tanstack/react-router";
import type { LoggedRequest } from "../../api/requests.ts";
import { Pill } from "../../pieces/StatusPill.tsx";
import styles from "../../pieces/Table.module.css";
import { dayAndTime, took } from "../../pieces/time.ts";
import own from "./Requests.module.css";

/** Requests, newest first; each opens what was sent and answered. */
export function RequestRows({ requests }: { readonly requests: readonly LoggedRequest[] }) {
  const navigate = useNavigate();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Request</th>
          <th scope="col">Answer</th>
          <th scope="col" className={styles.wide}>
            By
          </th>
          <th scope="col" className={`${styles.wide} ${styles.end}`}>
            Took
          </th>
          <th scope="col" className={`${styles.wide} ${styles.end}`}>
            At
          </th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <tr key={request.id}>
            <td>
              <button
                type="button"
                className={`${styles.open} ${own.what}`}
                onClick={() => void navigate({ to: "/requests", search: (old) => ({ ...old, request: request.id }) })}
                aria-label={`Open ${request.method} ${request.path}, ${request.id}`}
              >
                <span className={own.method}>{request.method}</span>
                <span className={`mono ${own.path}`}>{request.path}</span>
              </button>
              <div className={`${styles.narrow} soft number`}>{dayAndTime(request.at)}</div>
            </td>
            <td>
              <StatusOf request={request} />
              {request.code && <div className={`soft mono ${own.code}`}>{request.code}</div>}
            </td>
            <td className={styles.wide}>
              <span className={styles.clipped}>{callerOf(request)}</span>
            </td>
            <td className={`${styles.wide} ${styles.end} number`}>{took(request.duration_ms)}</td>
            <td className={`${styles.wide} ${styles.end} number`}>{dayAndTime(request.at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function StatusOf({ request: { status } }: { readonly request: LoggedRequest }) {
  if (status >= 500)
    return (
      <Pill tone="failed" icon="warning">
        {status}
      </Pill>
    );
  return (
    <Pill tone={status >= 400 ? "waiting" : "done"} icon={status >= 400 ? "stop" : "check"}>
      {status}
    </Pill>
  );
}

export const callerOf = ({ key, person }: LoggedRequest): string =>
  person ? (person.name ?? "Somebody who has left") : key ? `${key.starts}…${key.ends}` : "";
