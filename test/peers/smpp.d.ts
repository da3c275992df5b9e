/** The part of npm `smpp` 0.5.1 that the tests use; the package brings no types. */
declare module "smpp" {
  import type { EventEmitter } from "node:events";
  import type { Server } from "node:net";

  /** `short_message` of a decoded PDU; written as text, octets, or with a header in front. */
  export type ShortMessage = { readonly message: string | Buffer; readonly udh?: Buffer | readonly Buffer[] };

  export class PDU {
    readonly command: string;
    readonly command_status: number;
    readonly sequence_number: number;
    readonly system_id?: string;
    readonly password?: string;
    readonly source_addr: string;
    readonly destination_addr: string;
    readonly esm_class: number;
    readonly data_coding: number;
    readonly registered_delivery: number;
    readonly short_message: ShortMessage;
    readonly message_id?: string;
    readonly message_payload?: ShortMessage;
    readonly receipted_message_id?: string | Buffer;
    readonly message_state?: number;
    readonly final_date?: Date | "";
    readonly user_message_reference?: number;
    /** The response to it, with these fields. */
    response(fields?: object): PDU;
  }

  type Ask = (fields: object, answered?: (answer: PDU) => void) => boolean;

  export class Session extends EventEmitter {
    bind_transceiver: Ask;
    bind_transmitter: Ask;
    bind_receiver: Ask;
    submit_sm: Ask;
    deliver_sm: Ask;
    query_sm: Ask;
    enquire_link(answered?: (answer: PDU) => void): boolean;
    unbind(answered?: (answer: PDU) => void): boolean;
    /** False when the socket is not writable; the response callback is then never called. */
    send(pdu: PDU, answered?: (answer: PDU) => void): boolean;
    close(closed?: () => void): void;
    destroy(closed?: () => void): void;
  }

  export function connect(options: { readonly host: string; readonly port: number }): Session;
  export function createServer(connected: (session: Session) => void): Server;

  const smpp: { connect: typeof connect; createServer: typeof createServer; Session: typeof Session; PDU: typeof PDU };
  export default smpp;
}
