/**
 * Every command_status of SMPP 3.4, without the common prefix `ESME_`. 0x400–0x4FF is left to the SMSC vendors (5.1.3).
 * Source: SMPP 3.4, section 5.1.3, table 5-2.
 */
export const COMMAND_STATUS = {
  ROK: { code: 0x00, meaning: "no error" },
  RINVMSGLEN: { code: 0x01, meaning: "message length is invalid" },
  RINVCMDLEN: { code: 0x02, meaning: "command length is invalid" },
  RINVCMDID: { code: 0x03, meaning: "command id is invalid" },
  RINVBNDSTS: { code: 0x04, meaning: "wrong bind state for this command" },
  RALYBND: { code: 0x05, meaning: "already bound" },
  RINVPRTFLG: { code: 0x06, meaning: "priority flag is invalid" },
  RINVREGDLVFLG: { code: 0x07, meaning: "registered_delivery is invalid" },
  RSYSERR: { code: 0x08, meaning: "system error" },
  RINVSRCADR: { code: 0x0a, meaning: "source address is invalid" },
  RINVDSTADR: { code: 0x0b, meaning: "destination address is invalid" },
  RINVMSGID: { code: 0x0c, meaning: "message id is invalid" },
  RBINDFAIL: { code: 0x0d, meaning: "bind failed" },
  RINVPASWD: { code: 0x0e, meaning: "password is invalid" },
  RINVSYSID: { code: 0x0f, meaning: "system id is invalid" },
  RCANCELFAIL: { code: 0x11, meaning: "cancel_sm failed" },
  RREPLACEFAIL: { code: 0x13, meaning: "replace_sm failed" },
  RMSGQFUL: { code: 0x14, meaning: "message queue is full" },
  RINVSERTYP: { code: 0x15, meaning: "service type is invalid" },
  RINVNUMDESTS: { code: 0x33, meaning: "number of destinations is invalid" },
  RINVDLNAME: { code: 0x34, meaning: "distribution list name is invalid" },
  RINVDESTFLAG: { code: 0x40, meaning: "destination flag is invalid" },
  RINVSUBREP: { code: 0x42, meaning: "submit with replace is invalid" },
  RINVESMCLASS: { code: 0x43, meaning: "esm_class is invalid" },
  RCNTSUBDL: { code: 0x44, meaning: "cannot submit to the distribution list" },
  RSUBMITFAIL: { code: 0x45, meaning: "submit failed" },
  RINVSRCTON: { code: 0x48, meaning: "source TON is invalid" },
  RINVSRCNPI: { code: 0x49, meaning: "source NPI is invalid" },
  RINVDSTTON: { code: 0x50, meaning: "destination TON is invalid" },
  RINVDSTNPI: { code: 0x51, meaning: "destination NPI is invalid" },
  RINVSYSTYP: { code: 0x53, meaning: "system type is invalid" },
  RINVREPFLAG: { code: 0x54, meaning: "replace_if_present flag is invalid" },
  RINVNUMMSGS: { code: 0x55, meaning: "number of messages is invalid" },
  RTHROTTLED: { code: 0x58, meaning: "throttled: over the allowed rate" },
  RINVSCHED: { code: 0x61, meaning: "scheduled delivery time is invalid" },
  RINVEXPIRY: { code: 0x62, meaning: "validity period is invalid" },
  RINVDFTMSGID: { code: 0x63, meaning: "predefined message is invalid or not found" },
  RX_T_APPN: { code: 0x64, meaning: "receiver has a temporary error: deliver again" },
  RX_P_APPN: { code: 0x65, meaning: "receiver has a permanent error" },
  RX_R_APPN: { code: 0x66, meaning: "receiver rejects the message" },
  RQUERYFAIL: { code: 0x67, meaning: "query_sm failed" },
  RINVOPTPARSTREAM: { code: 0xc0, meaning: "optional part of the PDU is broken" },
  ROPTPARNOTALLWD: { code: 0xc1, meaning: "optional parameter is not allowed" },
  RINVPARLEN: { code: 0xc2, meaning: "parameter length is invalid" },
  RMISSINGOPTPARAM: { code: 0xc3, meaning: "an expected optional parameter is missing" },
  RINVOPTPARAMVAL: { code: 0xc4, meaning: "optional parameter value is invalid" },
  RDELIVERYFAILURE: { code: 0xfe, meaning: "delivery failed" },
  RUNKNOWNERR: { code: 0xff, meaning: "unknown error" },
} as const satisfies Readonly<Record<string, { readonly code: number; readonly meaning: string }>>;

export type StatusName = keyof typeof COMMAND_STATUS;

const NAME_BY_CODE: ReadonlyMap<number, StatusName> = new Map(
  Object.entries(COMMAND_STATUS).map(([name, { code }]) => [code, name as StatusName]),
);

export const statusName = (code: number): StatusName | undefined => NAME_BY_CODE.get(code);

/** For logs and `Outcome.detail`: `RTHROTTLED (0x0058): throttled…`; a vendor's own code keeps its number. */
export function describeStatus(code: number): string {
  const number = `0x${code.toString(16).padStart(4, "0")}`;
  const name = statusName(code);
  return name === undefined ? `command_status ${number}` : `${name} (${number}): ${COMMAND_STATUS[name].meaning}`;
}
