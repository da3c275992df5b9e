import type { Contract } from "./contract.ts";
import type { VendorWorld } from "./world.ts";

/** A call that came over the wire to a vendor. */
export interface VendorRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As they came. */
  readonly bytes: Buffer;
  /** The same as a text; empty when it is a form with files. */
  readonly text: string;
  /** As JSON or a form's fields; undefined when it is neither. */
  readonly body: unknown;
}

/** What comes back, as data. `wire` says how; without it the answer is whole and at once. */
export interface VendorAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text and bytes are sent as they are, all else as JSON. */
  readonly body: unknown;
  readonly delayMs?: number;
  readonly wire?: WireFault;
}

/** `truncated` ends in the middle with a right length; `wrong_length` promises more than there is, then hangs up. */
export type WireFault = "hang" | "reset" | "truncated" | "wrong_length" | "slow_drip";

/** One vendor's protocol. All vendors share one process, one store and one field. */
export interface VendorSimulator {
  /** In paths of the control API, and in the store: never renamed. */
  readonly name: string;
  /** What may be steered besides scenarios, with the values at first. JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Runs in one transaction, which is committed before the first byte of the answer: what was answered is remembered. */
  handle(request: VendorRequest, world: VendorWorld): VendorAnswer;
  /** Whether the receiver of a callback has taken it; if not, it comes again. Any 2xx when absent. */
  isTaken?(status: number, body: string): boolean;
  /** The longest body that it reads; 256 KiB when absent. */
  readonly bodyBytesMax?: number;
  /**
   * What the control API has for this vendor alone, at `/control/<name>/<path>`; undefined: nothing there. A fault in the call is
   * thrown as a `ControlFault`.
   */
  control?(path: string, request: VendorRequest, world: VendorWorld): object | undefined;
  /** Of a vendor that vends: what its adapter is held to. */
  readonly contract?: Contract;
  /** Of a vendor that carries chat: the order of a message on a handset, by the reference that came with it. */
  readonly chat?: { orderOf(reference: string): string | undefined };
}

/** A call of the control API that can't be done, with what it should have said. */
export class ControlFault extends Error {}

export const json = (body: unknown, status = 200): VendorAnswer => ({ status, body });

/** What a proxy in front of a vendor says while the vendor is away. */
export const htmlPage = (status: number): VendorAnswer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>Please wait</h1></body></html>`,
});

export const NO_ANSWER: VendorAnswer = { status: 200, body: "", wire: "hang" };
export const HUNG_UP: VendorAnswer = { status: 200, body: "", wire: "reset" };
