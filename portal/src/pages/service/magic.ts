/** What has a fixed outcome in test mode, as docs/guides/test-mode.md says it; a test holds the two together. */
export type MagicKind = "sms" | "chat" | "airtime" | "electricity" | "cable";

interface Magical {
  readonly name: string;
  readonly of: string;
  readonly rows: readonly (readonly [target: string, outcome: string])[];
}

export const MAGIC: Readonly<Record<MagicKind, Magical>> = {
  sms: {
    name: "Magic numbers",
    of: "Number",
    rows: [
      ["any other valid number", "delivered"],
      ["+2348000000001", "rejected, invalid_number"],
      ["+2348000000002", "undelivered, absent_subscriber; charged"],
      ["+2348000000003", "rejected, dnd"],
      ["+2348000000004", "first answer lost; retry: delivered, fail: failed, outcome_unknown"],
      ["+2348000000005", "failed, outcome_unknown"],
      ["+2348000000006", "delivered; receipts twice and out of order"],
      ["+2348000000007", "throttled three times, then delivered"],
      ["+2348000000009", "expired; charged"],
      ["+2348000000010", "two parts or more: undelivered; one part: delivered"],
    ],
  },
  chat: {
    name: "Magic numbers",
    of: "Number",
    rows: [
      ["any other valid number", "read; a text needs an open window"],
      ["+2348000000001", "failed, invalid_number"],
      ["+2348000000002", "failed, absent_subscriber"],
      ["+2348000000003", "failed, dnd"],
      ["+2348000000004", "first answer lost; retry: read, fail: failed, outcome_unknown"],
      ["+2348000000005", "failed, outcome_unknown"],
      ["+2348000000006", "delivered; statuses twice and out of order"],
      ["+2348000000007", "throttled three times, then read"],
      ["+2348000000008", "a text: failed, chat_window_closed; a template arrives"],
      ["+2348000000009", "sent, then failed, not_delivered after 20 seconds"],
    ],
  },
  airtime: {
    name: "Magic numbers",
    of: "Number",
    rows: [
      ["any other valid number", "successful"],
      ["+2348000000001", "failed, invalid_number"],
      ["+2348000000004", "no answer; then found successful"],
      ["+2348000000005", "no answer; then found failed"],
      ["+2348000000007", "“not now” three times, then successful"],
      ["+2348000000011", "successful, then reversed after five seconds"],
      ["+2348000000012", "failed, wrong_network"],
      ["+2348000000013", "503 provider_unavailable; no order"],
    ],
  },
  electricity: {
    name: "Magic meters",
    of: "Meter",
    rows: [
      ["1 and ten more digits, e.g. 11111111111", "successful"],
      ["20000000002", "postpaid: 422 meter_is_postpaid"],
      ["30000000003", "unknown: 422 meter_not_found"],
      ["40000000004", "no answer; then found successful, with its token"],
      ["50000000005", "₦500 of arrears, deducted first; successful"],
      ["60000000006", "token_pending for five seconds, then successful"],
      ["70000000007", "successful, then reversed after five seconds"],
    ],
  },
  cable: {
    name: "Magic smartcards",
    of: "Smartcard",
    rows: [
      ["1 and nine or ten more digits, e.g. 1212121212", "successful"],
      ["2000000002", "unknown: 422 smartcard_not_found"],
      ["4000000004", "no answer; then found successful"],
      ["5000000005", "₦2,000 of arrears in the renewal_amount; successful"],
      ["7000000007", "successful, then reversed after five seconds"],
      ["8000000008", "inactive, also after a change: nothing to renew, 422 not_supported_by_provider"],
    ],
  },
};
