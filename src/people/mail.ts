import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Mail } from "./mails.ts";
import { keepMail } from "./outbox.repo.ts";

/** Sends beside the work: an answer must not tell by its time whether a mail goes out. */
export interface Mailer {
  send(mail: Mail): void;
  /** Resolves when all that was to be sent is sent, or has failed. */
  idle(): Promise<void>;
}

/** Where mails are handed in. */
export interface MailSettings {
  /** `smtps://user:password@host:465`, or `smtp://` with STARTTLS. */
  readonly smtpUrl: string;
  /** `Afara <portal@example.ng>` */
  readonly from: string;
}

/** Without settings, as on a local gateway, mails stay in the outbox, where they can be read. */
export function makeMailer(parts: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: MailSettings | undefined;
}): Mailer {
  const { db, clock, log, settings } = parts;
  const underWay = new Set<Promise<void>>();
  const deliver = settings === undefined ? toOutbox : bySmtp(settings);

  async function toOutbox(mail: Mail): Promise<void> {
    await keepMail(db, mail, clock.now());
    log.info({ to: mail.to, links: linksIn(mail.text) }, `mail in the outbox: ${mail.subject}`);
  }

  return {
    send(mail) {
      const sending = deliver(mail)
        // The address is a person's, and some servers repeat it in their errors.
        .catch((error: Error & { code?: string }) =>
          log.error({ subject: mail.subject, code: error.code ?? error.name }, "a mail was not sent"),
        )
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async idle() {
      await Promise.all(underWay);
    },
  };
}

const SMTP_TIMEOUT_MS = 20_000;

function bySmtp({ smtpUrl, from }: MailSettings): (mail: Mail) => Promise<void> {
  return async ({ to, subject, text }) => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport(
      {
        url: smtpUrl,
        connectionTimeout: SMTP_TIMEOUT_MS,
        greetingTimeout: SMTP_TIMEOUT_MS,
        socketTimeout: SMTP_TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    );
    try {
      await transport.sendMail({ to: { name: "", address: to }, subject, text });
    } finally {
      transport.close();
    }
  };
}

export const linksIn = (text: string): readonly string[] => text.match(/https?:\/\/\S+/g) ?? [];
