import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ask } from "../../api/client.ts";
import { Empty } from "../../pieces/Empty.tsx";
import { useTitle } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { dayAndTime } from "../../pieces/time.ts";
import { Wordmark } from "../../pieces/Wordmark.tsx";
import styles from "./Outbox.module.css";

interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly at: string;
}

/** The mails that a local gateway would have sent. */
export function Outbox() {
  useTitle("Outbox");
  const outbox = useQuery({
    queryKey: ["outbox"],
    queryFn: () => ask<{ data: readonly Mail[] }>("GET", "/outbox"),
    refetchInterval: 2_000,
  });
  return (
    <main className={styles.page}>
      <a href="/portal" className={styles.mark} aria-label="Afara, home">
        <Wordmark />
      </a>
      <header>
        <h1>Outbox</h1>
        <p className="soft">
          This gateway is local: it shows its mails here and sends none. The last 50, newest first.
        </p>
      </header>
      {outbox.data ? (
        <Mails mails={outbox.data.data} />
      ) : outbox.error ? (
        <ProblemView error={outbox.error} again={() => void outbox.refetch()} />
      ) : (
        <Skeleton height={160} />
      )}
    </main>
  );
}

const Mails = ({ mails }: { readonly mails: readonly Mail[] }) =>
  mails.length === 0 ? (
    <div className="card">
      <Empty icon="mail" title="No mail yet">
        Create an account or reset a password, and its mail appears here.
      </Empty>
    </div>
  ) : (
    mails.map((mail) => (
      <article key={mail.id} className={`card ${styles.mail}`}>
        <div className="apart">
          <h2>{mail.subject}</h2>
          <time dateTime={mail.at} className="soft number">
            {dayAndTime(mail.at)}
          </time>
        </div>
        <p className="soft">To {mail.to}</p>
        <p className={styles.text}>{mail.text}</p>
        <div className="row">
          {mail.links.map((link) => (
            <Button key={link} component="a" href={link} size="xs">
              Open the link
            </Button>
          ))}
        </div>
      </article>
    ))
  );
