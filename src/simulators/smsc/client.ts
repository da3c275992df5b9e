import type { SmscFaults } from "./faults.ts";
import type { HandsetMessage } from "./handset.ts";
import type { SubmitLine } from "./log.ts";
import type { OddDelivery } from "./odd-delivery.ts";
import type { SmscStats } from "./server.ts";

/** The control API refused a call, or the server is not this API. */
export class SmscControlError extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(`the SMSC simulator's control API answered ${status}: ${body}`);
    this.status = status;
  }
}

/** A client of the simulator's control API. Methods throw `SmscControlError`, or what `fetch` throws when nobody listens. */
export class SmscClient {
  readonly #base: string;
  readonly #fetch: typeof fetch;

  constructor(controlPort: number, fetchIt: typeof fetch, host = "127.0.0.1") {
    this.#base = `http://${host}:${controlPort}`;
    this.#fetch = fetchIt;
  }

  /** Complete messages of a phone, the newest first; of these orders (UUIDs, from the trace) only when given. */
  async messages(msisdn: string, orderIds?: readonly string[]): Promise<readonly HandsetMessage[]> {
    const path = `/handsets/${msisdn}`;
    const { messages } = await (orderIds
      ? this.#ask<{ messages: HandsetMessage[] }>("POST", path, orderIds)
      : this.#ask<{ messages: HandsetMessage[] }>("GET", path));
    return messages;
  }

  /** The handset writes to `to`; the ESME gets it as deliver_sm. Gives the message's id. */
  async write(msisdn: string, message: { to: string; message: string; systemId?: string }): Promise<string> {
    const { messageId } = await this.#ask<{ messageId: string }>("POST", `/handsets/${msisdn}/messages`, message);
    return messageId;
  }

  /** The ESME gets this deliver_sm, until it acknowledges it. */
  async deliver(odd: OddDelivery): Promise<void> {
    await this.#ask("POST", "/deliveries", odd);
  }

  faults(): Promise<SmscFaults> {
    return this.#ask("GET", "/faults");
  }

  /** Sets these faults and leaves the others; gives all. */
  setFaults(faults: Partial<SmscFaults>): Promise<SmscFaults> {
    return this.#ask("POST", "/faults", faults);
  }

  /** Cuts every SMPP connection. */
  async hangUp(): Promise<void> {
    await this.#ask("POST", "/hang-up");
  }

  /** Forgets every bind; the connections stay up. */
  async forgetBinds(): Promise<void> {
    await this.#ask("POST", "/forget-binds");
  }

  stats(): Promise<SmscStats> {
    return this.#ask("GET", "/stats");
  }

  /** Recent submissions from the place `after` on, at most 10,000; `next` is the place to go on from. */
  submissions(after: number): Promise<{ readonly submissions: readonly SubmitLine[]; readonly next: number }> {
    return this.#ask("GET", `/submissions?after=${after}`);
  }

  async #ask<Answer>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> {
    const response = await this.#fetch(`${this.#base}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new SmscControlError(response.status, text);
    // Both ends are of one version: the gateway starts its own simulator.
    return JSON.parse(text) as Answer;
  }
}
