import { Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { LoggedRequestInFull } from "../../api/requests.ts";
import { CopyButton } from "../../pieces/CopyButton.tsx";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { dayOf, timeOf, took } from "../../pieces/time.ts";
import { callerOf, StatusOf } from "./RequestRows.tsx";
import styles from "./Requests.module.css";
import { useRequest } from "./requests.queries.ts";

interface DrawerProps {
  readonly id: string | undefined;
  readonly close: () => void;
}

/** One request: who asked for what, what was sent, and what was answered. */
export function RequestDrawer({ id, close }: DrawerProps) {
  const isNarrow = useMediaQuery("(max-width: 767px)");
  const request = useRequest(id);
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      size={isNarrow ? "100%" : 560}
      title={request.data ? `${request.data.method} request` : "Request"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {request.data ? (
        <Shown request={request.data} />
      ) : request.error ? (
        <ProblemView error={request.error} />
      ) : (
        <SkeletonRows count={7} />
      )}
    </Drawer>
  );
}

function Shown({ request }: { readonly request: LoggedRequestInFull }) {
  const { code, order } = request;
  return (
    <div className={styles.request}>
      <p className={`mono ${styles.whole}`}>
        {request.method} {request.path}
      </p>
      <dl className={styles.facts}>
        <Fact name="Answer">
          <span className="row">
            <StatusOf request={request} />
            {code && (
              <a href={`/docs/errors/${code}`} className="mono">
                {code}
              </a>
            )}
          </span>
        </Fact>
        <Fact name="By">
          <span className="mono">{callerOf(request)}</span>
        </Fact>
        <Fact name="At">
          <span className="number">
            {dayOf(request.at)}, {timeOf(request.at)}
          </span>
        </Fact>
        <Fact name="Took">
          <span className="number">{took(request.duration_ms)}</span>
        </Fact>
        {order && (
          <Fact name="About">
            {/^(msg|pur)_/.test(order) ? (
              <Link to="/orders" search={{ order }} className={`mono ${styles.id}`}>
                {order}
              </Link>
            ) : (
              <span className={`mono ${styles.id}`}>{order}</span>
            )}
          </Fact>
        )}
        <Fact name="Id">
          <span className="row">
            <span className={`mono ${styles.id}`}>{request.id}</span>
            <CopyButton text={request.id} what="id" />
          </span>
        </Fact>
        <Fact name="Kept until">
          <span className="number">{dayOf(request.kept_until)}</span>
        </Fact>
      </dl>
      <h3>Sent</h3>
      <Headers of={request.request.headers} />
      <Body of={request.request} what="request" none="No body, or none that was read before the answer." />
      <h3>Answered</h3>
      <Body
        of={request.answer}
        what="answer"
        none="Not kept, as for requests that only read, for pages and files, and where very many come at once."
      />
    </div>
  );
}

const Headers = ({ of }: { readonly of: Readonly<Record<string, string>> }) => (
  <dl className={styles.facts}>
    {Object.entries(of).map(([name, value]) => (
      <Fact key={name} name={name}>
        <span className={`mono ${styles.id}`}>{value}</span>
      </Fact>
    ))}
  </dl>
);

interface BodyProps {
  readonly of: LoggedRequestInFull["answer"];
  readonly what: string;
  readonly none: string;
}

function Body({ of: { body, cut }, what, none }: BodyProps) {
  if (body === null) return <p className="soft">{none}</p>;
  const text = pretty(body);
  return (
    <div className={styles.body}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre className="mono" tabIndex={0}>
        {text}
      </pre>
      <div className="row">
        <CopyButton text={text} what={what} />
        {cut && <span className="soft">Only the beginning is kept.</span>}
      </div>
    </div>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body; // its beginning alone
  }
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
