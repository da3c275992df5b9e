/**
 * The PDUs of SMPP 3.4 as data: one table of ids and one of body layouts, which encoder, decoder and the PDU types are all
 * derived from. A command that is missing here (submit_multi, SMPP 5 broadcasts) is answered with generic_nack.
 * Source: SMPP 3.4, sections 4 (PDU layouts) and 5.1.2.1 (command ids).
 */

/** `u8`: an unsigned octet. `cstring`: NUL-terminated Latin-1. `octets`: one length octet, then that many. */
type FieldKind = "u8" | "cstring" | "octets";

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** Octets a writer may use, the NUL of a `cstring` included. Readers take what fits in the PDU: peers break these limits. */
  readonly maxOctets: number;
}

const u8 = <N extends string>(name: N) => ({ name, kind: "u8", maxOctets: 1 }) as const;
const cstring = <N extends string>(name: N, maxOctets: number) => ({ name, kind: "cstring", maxOctets }) as const;
const octets = <N extends string>(name: N, maxOctets: number) => ({ name, kind: "octets", maxOctets }) as const;

const NOTHING = [] as const;
const MESSAGE_ID = [cstring("message_id", 65)] as const;

const SOURCE = [u8("source_addr_ton"), u8("source_addr_npi"), cstring("source_addr", 21)] as const;
const DESTINATION = [u8("dest_addr_ton"), u8("dest_addr_npi"), cstring("destination_addr", 21)] as const;

const BIND = [
  cstring("system_id", 16),
  // The specification says 9 octets; SMSCs issue longer passwords all the same, and cutting one locks the account.
  cstring("password", 65),
  cstring("system_type", 13),
  u8("interface_version"),
  u8("addr_ton"),
  u8("addr_npi"),
  cstring("address_range", 41),
] as const;
const BIND_RESP = [cstring("system_id", 16)] as const;

/** submit_sm and deliver_sm share one layout; `sm_length` is the length octet of `short_message`. */
const SHORT_MESSAGE = [
  cstring("service_type", 6),
  ...SOURCE,
  ...DESTINATION,
  u8("esm_class"),
  u8("protocol_id"),
  u8("priority_flag"),
  cstring("schedule_delivery_time", 17),
  cstring("validity_period", 17),
  u8("registered_delivery"),
  u8("replace_if_present_flag"),
  u8("data_coding"),
  u8("sm_default_msg_id"),
  octets("short_message", 254),
] as const;

export const LAYOUTS = {
  generic_nack: NOTHING,
  bind_receiver: BIND,
  bind_receiver_resp: BIND_RESP,
  bind_transmitter: BIND,
  bind_transmitter_resp: BIND_RESP,
  query_sm: [...MESSAGE_ID, ...SOURCE],
  query_sm_resp: [...MESSAGE_ID, cstring("final_date", 17), u8("message_state"), u8("error_code")],
  submit_sm: SHORT_MESSAGE,
  submit_sm_resp: MESSAGE_ID,
  deliver_sm: SHORT_MESSAGE,
  deliver_sm_resp: MESSAGE_ID,
  unbind: NOTHING,
  unbind_resp: NOTHING,
  replace_sm: [
    ...MESSAGE_ID,
    ...SOURCE,
    cstring("schedule_delivery_time", 17),
    cstring("validity_period", 17),
    u8("registered_delivery"),
    u8("sm_default_msg_id"),
    octets("short_message", 254),
  ],
  replace_sm_resp: NOTHING,
  cancel_sm: [cstring("service_type", 6), ...MESSAGE_ID, ...SOURCE, ...DESTINATION],
  cancel_sm_resp: NOTHING,
  bind_transceiver: BIND,
  bind_transceiver_resp: BIND_RESP,
  outbind: [cstring("system_id", 16), cstring("password", 65)],
  enquire_link: NOTHING,
  enquire_link_resp: NOTHING,
  alert_notification: [
    u8("source_addr_ton"),
    u8("source_addr_npi"),
    cstring("source_addr", 65),
    u8("esme_addr_ton"),
    u8("esme_addr_npi"),
    cstring("esme_addr", 65),
  ],
  data_sm: [
    cstring("service_type", 6),
    u8("source_addr_ton"),
    u8("source_addr_npi"),
    cstring("source_addr", 65),
    u8("dest_addr_ton"),
    u8("dest_addr_npi"),
    cstring("destination_addr", 65),
    u8("esm_class"),
    u8("registered_delivery"),
    u8("data_coding"),
  ],
  data_sm_resp: MESSAGE_ID,
} as const satisfies Readonly<Record<string, readonly Field[]>>;

export type Command = keyof typeof LAYOUTS;

/** Set in the id of every response: the response to `id` is `id | RESPONSE_BIT`. */
const RESPONSE_BIT = 0x8000_0000;

export const COMMAND_IDS: Readonly<Record<Command, number>> = {
  generic_nack: 0x8000_0000,
  bind_receiver: 0x0000_0001,
  bind_receiver_resp: 0x8000_0001,
  bind_transmitter: 0x0000_0002,
  bind_transmitter_resp: 0x8000_0002,
  query_sm: 0x0000_0003,
  query_sm_resp: 0x8000_0003,
  submit_sm: 0x0000_0004,
  submit_sm_resp: 0x8000_0004,
  deliver_sm: 0x0000_0005,
  deliver_sm_resp: 0x8000_0005,
  unbind: 0x0000_0006,
  unbind_resp: 0x8000_0006,
  replace_sm: 0x0000_0007,
  replace_sm_resp: 0x8000_0007,
  cancel_sm: 0x0000_0008,
  cancel_sm_resp: 0x8000_0008,
  bind_transceiver: 0x0000_0009,
  bind_transceiver_resp: 0x8000_0009,
  outbind: 0x0000_000b,
  enquire_link: 0x0000_0015,
  enquire_link_resp: 0x8000_0015,
  alert_notification: 0x0000_0102,
  data_sm: 0x0000_0103,
  data_sm_resp: 0x8000_0103,
};

export const COMMANDS = Object.keys(COMMAND_IDS) as readonly Command[];

const COMMAND_BY_ID: ReadonlyMap<number, Command> = new Map(COMMANDS.map((command) => [COMMAND_IDS[command], command]));

export const commandOf = (commandId: number): Command | undefined => COMMAND_BY_ID.get(commandId);

export const isResponseId = (commandId: number): boolean => commandId >= RESPONSE_BIT;

/** Requests that have a response of their own. alert_notification and outbind have none (4.12, 4.1.7). */
export type RequestCommand = { [C in Command]: `${C}_resp` extends Command ? C : never }[Command];
export type ResponseCommand<C extends RequestCommand = RequestCommand> = Extract<`${C}_resp`, Command>;

/** The command that answers a request, or undefined when `command` is a response or takes no answer. */
export function responseTo(command: Command): ResponseCommand | undefined {
  return RESPONSE_BY_REQUEST.get(command);
}

const RESPONSE_BY_REQUEST: ReadonlyMap<Command, ResponseCommand> = new Map(
  COMMANDS.filter((command) => command !== "generic_nack" && isResponseId(COMMAND_IDS[command])).map((response) => [
    response.slice(0, -"_resp".length) as RequestCommand,
    response as ResponseCommand,
  ]),
);
