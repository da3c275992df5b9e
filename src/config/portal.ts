import type { MailSettings } from "../people/index.ts";
import type { EnvironmentReader } from "./environment.ts";

/** Where people reach the portal, and how they are written to. */
export interface PortalConfig {
  /** Its origin. Undefined: only browsers of this machine do. */
  readonly publicUrl: string | undefined;
  /** Undefined: nobody is written to; on a local gateway mails stay in the outbox. */
  readonly mail: MailSettings | undefined;
}

const EXAMPLE = "https://portal.example.ng";

export function readPortal({ text, faults }: EnvironmentReader, production: boolean): PortalConfig {
  const publicUrl = text("AFARA_PUBLIC_URL");
  const [smtpUrl, from] = [text("AFARA_SMTP_URL"), text("AFARA_MAIL_FROM")];
  if (publicUrl !== undefined && !isOrigin(publicUrl))
    faults.push(`AFARA_PUBLIC_URL: must look like ${EXAMPLE}, without a path behind it`);
  else if (publicUrl !== undefined && production && !publicUrl.startsWith("https:"))
    faults.push(`AFARA_PUBLIC_URL: production needs HTTPS, e.g. ${EXAMPLE}: passwords would be sent in the clear`);
  if (smtpUrl !== undefined && !(/^smtps?:\/\/[^/]/.test(smtpUrl) && URL.canParse(smtpUrl)))
    faults.push("AFARA_SMTP_URL: must look like smtps://user:password@mail.example.ng:465 (smtp:// for STARTTLS)");
  if (from !== undefined && !/^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(from))
    faults.push('AFARA_MAIL_FROM: must look like "Afara <portal@example.ng>"');
  if ((smtpUrl === undefined) !== (from === undefined))
    faults.push(
      `${smtpUrl === undefined ? "AFARA_SMTP_URL" : "AFARA_MAIL_FROM"}: mails need both AFARA_SMTP_URL and AFARA_MAIL_FROM`,
    );
  else if (production && publicUrl !== undefined && smtpUrl === undefined)
    faults.push("AFARA_SMTP_URL: the portal (AFARA_PUBLIC_URL) confirms addresses by mail, so it needs a mail server");
  return {
    publicUrl: publicUrl?.replace(/\/$/, ""),
    mail: smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from },
  };
}

const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, "");
