import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { TEST_CERTIFICATE, TEST_KEY } from "./scripted-smsc-tls.ts";
import { type Command, responseTo } from "./wire/commands.ts";
import { encodePdu, isFault, type Pdu, type PduDraft, type PduOf, PduReader } from "./wire/pdu.ts";
import { TAG, type Tlv, tlvU8 } from "./wire/tlv.ts";

interface Answer {
  readonly status?: number;
  readonly message_id?: string;
  readonly tlvs?: readonly Tlv[];
}

/** What an SMSC with optional parameters answers a bind with. */
const VERSION_3_4 = [tlvU8(TAG.sc_interface_version, 0x34)];

/** One connection as the SMSC sees it. */
export class ScriptedConnection {
  readonly socket: Socket;
  readonly received: Pdu[] = [];
  isOpen = true;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  send(pdu: PduDraft): void {
    this.socket.write(encodePdu(pdu));
  }

  /** Answers a request with its own response. */
  respond(request: Pdu, fields: Answer = {}): void {
    const command = responseTo(request.command);
    if (command !== undefined) this.send({ ...fields, command, sequence: request.sequence } as PduDraft);
  }
}

type Script = { [C in Command]?: (connection: ScriptedConnection, pdu: PduOf<C>) => void };

/**
 * For tests: an SMSC that does exactly what the test says. Without a script it accepts binds as version 3.4, answers enquire_link and unbind, and
 * takes every submit under the ids 1, 2, 3 …
 */
export class ScriptedSmsc {
  readonly connections: ScriptedConnection[] = [];
  /** What to do instead, by command. `() => {}` is silence. */
  script: Script = {};
  readonly #server: Server;
  #messages = 0;

  private constructor(tls: boolean) {
    const accept = (socket: Socket) => this.#accept(socket);
    this.#server = tls ? createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, accept) : createServer(accept);
  }

  static async listen(options: { readonly tls?: boolean; readonly port?: number } = {}): Promise<ScriptedSmsc> {
    const smsc = new ScriptedSmsc(options.tls ?? false);
    await new Promise<void>((resolve) => smsc.#server.listen(options.port ?? 0, "127.0.0.1", resolve));
    return smsc;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the SMSC does not listen");
    return address.port;
  }

  /** PDUs of one command over all connections, in the order they came. */
  received<C extends Command>(command: C): PduOf<C>[] {
    return this.connections
      .flatMap((connection) => connection.received)
      .filter((pdu): pdu is PduOf<C> => pdu.command === command);
  }

  /** The connections that are open now. */
  get open(): ScriptedConnection[] {
    return this.connections.filter((connection) => connection.isOpen);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const { socket } of this.connections) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    const connection = new ScriptedConnection(socket);
    const reader = new PduReader();
    this.connections.push(connection);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      connection.isOpen = false;
    });
    socket.on("data", (chunk: Buffer) => {
      for (const pdu of reader.push(chunk)) {
        if (isFault(pdu)) throw new Error(`the adapter wrote something that is no PDU: ${JSON.stringify(pdu)}`);
        connection.received.push(pdu);
        const scripted = this.script[pdu.command] as ((connection: ScriptedConnection, pdu: Pdu) => void) | undefined;
        if (scripted !== undefined) scripted(connection, pdu);
        else this.#answer(connection, pdu);
      }
    });
  }

  #answer(connection: ScriptedConnection, pdu: Pdu): void {
    if (pdu.command === "submit_sm") connection.respond(pdu, { message_id: String(++this.#messages) });
    else connection.respond(pdu, pdu.command.startsWith("bind_") ? { tlvs: VERSION_3_4 } : {});
    if (pdu.command === "unbind") connection.socket.end();
  }
}
