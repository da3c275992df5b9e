import type { FailureCode } from "../../kernel/failures.ts";
import type { Outcome } from "../../ports/provider.ts";
import { COMMAND_STATUS, describeStatus, type StatusName, statusName } from "./wire/status.ts";
import { findTlv, TAG, type Tlv } from "./wire/tlv.ts";

/** The meaning of a command_status of submit_sm_resp (or of a generic_nack in its place) for the message. */
export type VendorStatus =
  | { readonly kind: "rejected"; readonly scope: "order" | "route"; readonly code: FailureCode }
  /** `ofLink`: a fault of this bind only, solved by the next one; the vendor is not overloaded. */
  | { readonly kind: "throttled"; readonly retryAfterMs?: number; readonly ofLink?: true }
  | { readonly kind: "unknown" };

const MISCONFIGURED: VendorStatus = { kind: "rejected", scope: "route", code: "route_misconfigured" };
const THROTTLED: VendorStatus = { kind: "throttled" };
const UNKNOWN: VendorStatus = { kind: "unknown" };

/**
 * Everything but ROK. A status that is not listed, the vendors' 0x400–0x4FF among them, is `unknown` until `statusMap` names it.
 * Source: SMPP 3.4, section 5.1.3; classes as in docs/providers/smpp.md.
 */
export const STATUS_TABLE: Readonly<Partial<Record<StatusName, VendorStatus>>> = {
  // The message itself: no other vendor would take it.
  RINVSRCADR: { kind: "rejected", scope: "order", code: "sender_refused" },
  RINVDSTADR: { kind: "rejected", scope: "order", code: "invalid_number" },
  // Another route may split or encode it in a way that its SMSC takes.
  RINVMSGLEN: { kind: "rejected", scope: "route", code: "route_misconfigured" },
  // The vendor is too busy: certain that nothing was taken.
  RTHROTTLED: THROTTLED,
  RMSGQFUL: THROTTLED,
  // Not bound (any more) as a transmitter: refused before it was looked at, and mended by the next bind (`saysNotBound`).
  RINVBNDSTS: { kind: "throttled", ofLink: true },
  // How we ask, not what: an operator has to mend the settings.
  RINVCMDLEN: MISCONFIGURED,
  RINVCMDID: MISCONFIGURED,
  RALYBND: MISCONFIGURED,
  RINVPRTFLG: MISCONFIGURED,
  RINVREGDLVFLG: MISCONFIGURED,
  RBINDFAIL: MISCONFIGURED,
  RINVPASWD: MISCONFIGURED,
  RINVSYSID: MISCONFIGURED,
  RINVSERTYP: MISCONFIGURED,
  RINVNUMDESTS: MISCONFIGURED,
  RINVDLNAME: MISCONFIGURED,
  RINVDESTFLAG: MISCONFIGURED,
  RINVSUBREP: MISCONFIGURED,
  RINVESMCLASS: MISCONFIGURED,
  RCNTSUBDL: MISCONFIGURED,
  RINVSRCTON: MISCONFIGURED,
  RINVSRCNPI: MISCONFIGURED,
  RINVDSTTON: MISCONFIGURED,
  RINVDSTNPI: MISCONFIGURED,
  RINVSYSTYP: MISCONFIGURED,
  RINVREPFLAG: MISCONFIGURED,
  RINVNUMMSGS: MISCONFIGURED,
  RINVSCHED: MISCONFIGURED,
  RINVEXPIRY: MISCONFIGURED,
  RINVDFTMSGID: MISCONFIGURED,
  RINVOPTPARSTREAM: MISCONFIGURED,
  ROPTPARNOTALLWD: MISCONFIGURED,
  RINVPARLEN: MISCONFIGURED,
  RMISSINGOPTPARAM: MISCONFIGURED,
  RINVOPTPARAMVAL: MISCONFIGURED,
  // "submit_sm failed" without a reason. It is an explicit refusal, so nothing was taken, but SMSCs use it for content, credit and
  // sender alike: neither waiting nor blaming the order is justified. The next route may take it.
  RSUBMITFAIL: { kind: "rejected", scope: "route", code: "rejected_by_network" },
  RDELIVERYFAILURE: { kind: "rejected", scope: "route", code: "rejected_by_network" },
  // The SMSC's own trouble: it may have stored the message before it failed.
  RSYSERR: UNKNOWN,
  RUNKNOWNERR: UNKNOWN,
};

const codesOf = (...names: readonly StatusName[]): ReadonlySet<number> =>
  new Set(names.map((name) => COMMAND_STATUS[name].code));

const NOT_BOUND = codesOf("RINVBNDSTS", "RBINDFAIL", "RINVPASWD", "RINVSYSID");

/**
 * Whether the answer to a request other than a bind speaks of the bind: refused before the request was looked at, and mended by the
 * next bind alone.
 */
export const saysNotBound = (status: number, statusMap: ReadonlyMap<number, VendorStatus>): boolean =>
  NOT_BOUND.has(status) && !statusMap.has(status);

/** RINVCMDLEN and RINVCMDID are what an SMSC says that reads the octets after short_message as a fault of the PDU. */
const TLV_REFUSALS = codesOf(
  "RINVCMDLEN",
  "RINVCMDID",
  "RINVOPTPARSTREAM",
  "ROPTPARNOTALLWD",
  "RINVPARLEN",
  "RMISSINGOPTPARAM",
  "RINVOPTPARAMVAL",
);

/** Whether a submit may have been refused because of its optional parameters. */
export function refusesTlvs(
  status: number,
  tlvs: readonly Tlv[] | undefined,
  statusMap: ReadonlyMap<number, VendorStatus>,
): boolean {
  if (statusMap.has(status)) return false;
  // Without the parameter that it does not know, the message is empty.
  const isEmptyOtherwise = findTlv(tlvs ?? [], TAG.message_payload) !== undefined;
  return TLV_REFUSALS.has(status) || (isEmptyOtherwise && status === COMMAND_STATUS.RINVMSGLEN.code);
}

/** The outcome of a submit that was answered with anything but ROK. */
export function outcomeOfStatus(
  status: number,
  statusMap: ReadonlyMap<number, VendorStatus>,
  retryAfterMs: number,
): Outcome {
  const name = statusName(status);
  const meaning = statusMap.get(status) ?? (name === undefined ? UNKNOWN : (STATUS_TABLE[name] ?? UNKNOWN));
  const detail = describeStatus(status);
  if (meaning.kind === "throttled")
    return {
      kind: "throttled",
      retryAfterMs: meaning.retryAfterMs ?? retryAfterMs,
      detail,
      ...(!meaning.ofLink && { ofRoute: true }),
    };
  return { ...meaning, detail };
}
