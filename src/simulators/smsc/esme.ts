import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Command } from "../../providers/smpp/wire/commands.ts";
import { encodePdu, type Pdu, type PduDraft, type PduOf, PduReader } from "../../providers/smpp/wire/pdu.ts";
import { TAG, type Tlv, tlvOctets } from "../../providers/smpp/wire/tlv.ts";

type Draft<C extends Command = Command> = C extends Command ? Omit<PduDraft<C>, "sequence"> : never;

/**
 * An ESME for tests, on the bare codec: it does what it is told, right or wrong, and keeps all that comes in.
 * Unless `acknowledges` is set to null, each deliver_sm is answered with that status.
 */
export class Esme {
  readonly received: Pdu[] = [];
  acknowledges: number | null = 0;
  readonly #socket: Socket;
  readonly #reader = new PduReader();
  #sequence = 0;
  #changed = Promise.withResolvers<void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => typeof chunk !== "string" && this.#read(chunk));
    // "close" follows, and that is what tests wait for.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#wake());
  }

  static async connect(port: number): Promise<Esme> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new Esme(socket);
  }

  /** Connected and bound. */
  static async bound(
    port: number,
    { systemId = "esme", as = "bind_transceiver" }: { systemId?: string; as?: Bind } = {},
  ): Promise<Esme> {
    const esme = await Esme.connect(port);
    const { status } = await esme.ask({
      command: as,
      system_id: systemId,
      password: "secret",
      interface_version: 0x34,
    });
    if (status !== 0) throw new Error(`bind refused with ${status}`);
    return esme;
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  get deliveries(): PduOf<"deliver_sm">[] {
    return this.received.filter((pdu) => pdu.command === "deliver_sm");
  }

  /** Sends without waiting; gives the sequence number. */
  send(draft: Draft): number {
    this.#sequence += 1;
    this.#socket.write(encodePdu({ ...draft, sequence: this.#sequence }));
    return this.#sequence;
  }

  sendOctets(octets: Buffer): void {
    this.#socket.write(octets);
  }

  /** Sends, and waits for the answer. */
  async ask(draft: Draft): Promise<Pdu> {
    const sequence = this.send(draft);
    return await this.answerTo(sequence);
  }

  answerTo(sequence: number): Promise<Pdu> {
    return this.until(() => this.received.find((pdu) => pdu.sequence === sequence && isResponse(pdu)));
  }

  /** Submits a text, by default in the GSM alphabet's common part with a receipt wanted. */
  submit(destination: string, text: string, more: Partial<PduOf<"submit_sm">> = {}): Promise<Pdu> {
    return this.ask(submitOf(destination, text, more));
  }

  sendSubmit(destination: string, text: string, more: Partial<PduOf<"submit_sm">> = {}): number {
    return this.send(submitOf(destination, text, more));
  }

  /** What `found` finds, looked for again whenever something has come in. Fails when the connection closes first, or after 10 s. */
  async until<T>(found: () => T | undefined | false, milliseconds = 10_000): Promise<T> {
    const deadline = AbortSignal.timeout(milliseconds);
    const late = new Promise<never>((_, reject) => {
      deadline.addEventListener("abort", () => reject(new Error(`did not come within ${milliseconds} ms: ${found}`)));
    });
    // It is a failure only while somebody waits.
    late.catch(() => {});
    for (;;) {
      const value = found();
      if (value !== undefined && value !== false) return value;
      if (this.isClosed) throw new Error(`the connection closed before: ${found}`);
      await Promise.race([this.#changed.promise, late]);
    }
  }

  async closed(): Promise<void> {
    if (!this.isClosed) await once(this.#socket, "close");
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    for (const item of this.#reader.push(chunk)) {
      if ("fault" in item) throw new Error(`the SMSC sent what is no PDU: ${JSON.stringify(item)}`);
      this.received.push(item);
      if (item.command === "unbind") this.#socket.end(encodePdu({ command: "unbind_resp", sequence: item.sequence }));
      if (item.command === "deliver_sm" && this.acknowledges !== null) {
        const { sequence } = item;
        this.#socket.write(encodePdu({ command: "deliver_sm_resp", sequence, status: this.acknowledges }));
      }
    }
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

type Bind = "bind_transceiver" | "bind_transmitter" | "bind_receiver";

const isResponse = (pdu: Pdu): boolean => pdu.command.endsWith("_resp") || pdu.command === "generic_nack";

const submitOf = (destination: string, text: string, more: Partial<PduOf<"submit_sm">>): Draft<"submit_sm"> => ({
  command: "submit_sm",
  source_addr_ton: 5,
  source_addr: "AFARA",
  dest_addr_ton: 1,
  dest_addr_npi: 1,
  destination_addr: destination,
  registered_delivery: 1,
  short_message: Buffer.from(text, "latin1"),
  ...more,
});

/** The private TLV that names an order's piece. */
export const traceTlv = (orderId: string, attempt: number, piece: number): Tlv =>
  tlvOctets(TAG.afara_trace, Buffer.from(`${orderId}/${attempt}/${piece}`));
