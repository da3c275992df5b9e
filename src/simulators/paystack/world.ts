import type { Clock } from "../../kernel/clock.ts";
import type { Bank, Transaction } from "./bank.ts";
import type { Fault } from "./faults.ts";

export interface PaystackOptions {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly secretKey: string;
  /** Where webhooks go: the gateway's `/callbacks/paystack`. */
  readonly callbackUrl: string | undefined;
  readonly host?: string;
  readonly port?: number;
}

/** What a part of the simulator answers; undefined: it has no such path. */
export type Reply = { readonly status: number; readonly body: unknown; readonly html?: string } | undefined;

export interface Delivery {
  /** How often the webhook comes; default once, 0 for never. */
  readonly times?: number;
  readonly delayMs?: number;
  readonly wrongSignature?: boolean;
}

/** The simulator as its parts see it. */
export interface PaystackWorld {
  readonly bank: Bank;
  readonly options: PaystackOptions;
  readonly domain: "test" | "live";
  /** Path and method of every call to the vendor's API, the oldest first. */
  readonly calls: string[];
  faults: Fault[];
  callbackUrl: string | undefined;
  readonly port: number;
  /** Sends `charge.success`; resolves with the gateway's statuses, 0 where there was no answer. */
  report(transaction: Transaction, delivery?: Delivery): Promise<readonly number[]>;
}
