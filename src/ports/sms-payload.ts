import type { FailureCode } from "../kernel/failures.ts";
import type { SmsEncoding } from "../kernel/segments.ts";

/** What an SMS order stores for its adapter: the port between the SMS service and every SMS vendor. */
export interface SmsPayload {
  /** Sender ID (3–11 characters, alphanumeric), short code, or digits of an international number. */
  readonly from: string;
  /** Exactly what the handset must show. NFC. */
  readonly text: string;
  readonly encoding: SmsEncoding;
  /** Segments charged; the adapter's own parts must be as many wherever it splits the text itself. */
  readonly segments: number;
  readonly route: "transactional" | "promotional";
}

/** What an SMS was not delivered of, by the word of its report. */
export const SMS_FAILURES: Readonly<Record<string, FailureCode>> = {
  undelivered: "not_delivered",
  expired: "validity_expired",
  rejected: "rejected_by_network",
} satisfies Partial<Record<SmsReportStatus, FailureCode>>;

/** Words of an SMS report, in `ProviderReport.status`. `sent` is intermediate (ENROUTE, ACCEPTD). */
export type SmsReportStatus = "sent" | "delivered" | "undelivered" | "expired" | "rejected";

/** A sender that is a full number shows as E.164; sender IDs and short codes as they are. */
export const senderView = (from: string): string => (/^\d{9,}$/.test(from) ? `+${from}` : from);
