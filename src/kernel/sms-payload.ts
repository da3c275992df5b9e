import type { SmsEncoding } from "./segments.ts";

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

/** Words of an SMS report, in `ProviderReport.status`. `sent` is intermediate (ENROUTE, ACCEPTD). */
export type SmsReportStatus = "sent" | "delivered" | "undelivered" | "expired" | "rejected";
