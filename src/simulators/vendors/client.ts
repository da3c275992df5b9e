import { invariant } from "../../kernel/result.ts";
import type { ChatArrival, ChatError, ChatReply } from "./chat-handset.ts";
import type { Arrival, Entered, MeterChanges, MeterToken } from "./field.ts";
import { type Product, soldHere } from "./products.ts";
import type { ScenarioName, VendState } from "./scenarios.ts";
import type { Call, Vend } from "./store.repo.ts";

/** A vend with the state that it is in now. Amounts are digits of kobo. */
export type SeenVend = Omit<Vend, "amountKobo"> & { readonly amountKobo: string; readonly state: VendState };

/** The control API has refused something, or is not this API at all. */
export class VendorControlError extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(`the vendors' control API answered ${status}: ${body}`);
    this.status = status;
  }
}

/** Where the control API is. */
export const controlUrl = (port: number, host: string): string => `http://${host}:${port}/control`;

/** A client of the simulators' control API. Methods throw `VendorControlError`, or what `fetch` throws when nobody listens. */
export class VendorClient {
  readonly url: string;
  readonly #fetch: typeof fetch;

  constructor(controlPort: number, fetchIt: typeof fetch, host = "127.0.0.1") {
    this.url = controlUrl(controlPort, host);
    this.#fetch = fetchIt;
  }

  /** What came over the wire to a vendor, the oldest first; at most 10,000 after the call `after`. */
  async calls(vendor: string, after = 0): Promise<readonly Call[]> {
    return (await this.#ask<{ calls: Call[] }>("GET", `/${vendor}/calls?after=${after}`)).calls;
  }

  /** What a vendor took, the oldest first. */
  async vends(vendor: string, by: { reference?: string; recipient?: string } = {}): Promise<readonly SeenVend[]> {
    const query = new URLSearchParams(by);
    return (await this.#ask<{ vends: SeenVend[] }>("GET", `/${vendor}/vends?${query}`)).vends;
  }

  /** The next `times` calls (1) of the kind that the scenario is for meet it. */
  async scenario(
    vendor: string,
    scenario: ScenarioName,
    more: { times?: number; recipient?: string; afterMs?: number; on?: "vend" | "verify" } = {},
  ): Promise<void> {
    await this.#ask("POST", `/${vendor}/scenarios`, { scenario, ...more });
  }

  /** Sets these settings of a vendor and leaves the others; gives all. */
  settings(vendor: string, settings: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    return this.#ask("POST", `/${vendor}/settings`, settings);
  }

  async callbackUrl(vendor: string, url: string): Promise<void> {
    await this.#ask("POST", "/callback-url", { vendor, url });
  }

  phone(msisdn: string): Promise<{ readonly airtime: readonly Arrival[]; readonly data: readonly Arrival[] }> {
    return this.#ask("GET", `/phones/${msisdn}`);
  }

  /** What of a product has come to a recipient, the oldest first. */
  async arrivals(product: Product, recipient: string): Promise<readonly Arrival[]> {
    const { farEnd } = soldHere(product);
    invariant(farEnd, "it arrives at an end that shows its arrivals");
    return (await this.#ask<Record<string, readonly Arrival[]>>("GET", `/${farEnd}/${recipient}`))[product] ?? [];
  }

  /** Tokens that the meter was sold, the oldest first. */
  async tokens(meter: string): Promise<readonly MeterToken[]> {
    return (await this.#ask<{ tokens: MeterToken[] }>("GET", `/meters/${meter}`)).tokens;
  }

  async changeMeter(meter: string, changes: MeterChanges): Promise<void> {
    await this.#ask("POST", `/meters/${meter}`, changes);
  }

  /** Types a token into the meter. */
  enterToken(meter: string, token: string): Promise<Entered> {
    return this.#ask("POST", `/meters/${meter}/tokens`, { token });
  }

  /** What business messages are on the handset, the oldest first. */
  async chatMessages(vendor: string, msisdn: string): Promise<readonly ChatArrival[]> {
    return (await this.#ask<{ messages: ChatArrival[] }>("GET", `/${vendor}/handsets/${msisdn}`)).messages;
  }

  /** The handset does something; gives the id of its message. */
  async chatReply(vendor: string, msisdn: string, reply: ChatReply): Promise<string> {
    return (await this.#ask<{ id: string }>("POST", `/${vendor}/handsets/${msisdn}/replies`, reply)).id;
  }

  /** When the handset last wrote to a number (the vendor's first); null: never. */
  async chatWindow(vendor: string, msisdn: string, secondsAgo: number | null, number?: string): Promise<void> {
    await this.#ask("POST", `/${vendor}/handsets/${msisdn}/window`, { secondsAgo, number });
  }

  /** The next messages meet an error code. */
  async chatError(vendor: string, error: ChatError): Promise<void> {
    await this.#ask("POST", `/${vendor}/errors`, error);
  }

  /** Makes a template, or changes one of that name and language; in the vendor's own words. */
  async chatTemplate(
    vendor: string,
    template: { readonly name: string; readonly language: string } & Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#ask("POST", `/${vendor}/templates`, template);
  }

  /** Forgets everything: vends, tokens, settings, callback URLs. */
  async reset(): Promise<void> {
    await this.#ask("DELETE", "");
  }

  async #ask<Answer>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<Answer> {
    const response = await this.#fetch(`${this.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new VendorControlError(response.status, text);
    // Both ends are of one version: the gateway starts its own simulator.
    return JSON.parse(text) as Answer;
  }
}
