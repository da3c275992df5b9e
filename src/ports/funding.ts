import type { Clock } from "../kernel/clock.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Result } from "../kernel/result.ts";
import type { Contact } from "./provider.ts";

/**
 * The port of those who bring money in. Unlike a vendor of services it takes no orders: it gives out ways to pay, and says
 * whether a payment was made. Nothing it is asked moves money, so everything may be asked again.
 */
export interface FundingProvider {
  /** Also the last part of the path that it reports to: `/callbacks/<name>`. */
  readonly name: string;
  /** Begins to ask whether the vendor is reached; resolves nothing and moves nothing. */
  start?(): void;
  stop?(): void;
  /** Whether the vendor is reached and takes our key. */
  contact?(): Contact;
  /** A page where `amountKobo` can be paid, under our reference. */
  createLink(request: LinkRequest): Promise<Opened<string>>;
  /** The payer's own account number for bank transfers: the same one whenever it is asked for. */
  openAccount(payer: Payer): Promise<Opened<BankAccount>>;
  /** What became of the payment with this reference: the only word on which money is credited. */
  verify(reference: string): Promise<Verification>;
  /** In lower case: a callback without this header is forged, whatever its body. */
  readonly signatureHeader?: string;
  /** Reads what came to the callback. `header` gives a header by its lower-case name. */
  readCallback(body: Buffer, header: (name: string) => string | undefined): Callback;
}

/** What it is called beside the vendors of services, none of which has such a name. */
export const fundingVendor = (name: string): string => `funding:${name}`;

export interface Payer {
  /** `acc_…` */
  readonly id: string;
  readonly name: string;
}

export interface LinkRequest {
  /** Letters, digits and `-`; never used before. */
  readonly reference: string;
  readonly amountKobo: Kobo;
  readonly payer: Payer;
}

export interface BankAccount {
  /** What the vendor calls the payer. */
  readonly customer: string;
  readonly bank: string;
  readonly accountNumber: string;
  readonly accountName: string;
}

/** `failed` need not be certain: what nobody was told of, nobody can pay. `detail` is for the log: no words of the vendor's. */
export type Opened<T> =
  | { readonly kind: "opened"; readonly value: T }
  | { readonly kind: "failed"; readonly detail: string };

/** Who paid, for a transfer that came without a reference of ours. */
export interface PaidBy {
  readonly customer?: string;
  readonly accountNumber?: string;
}

/** The closed list of what a payment may be. Whatever is not in the vendor's status table is `unknown`. */
export type Verification =
  | ({
      readonly kind: "paid";
      /** For the wallet: what came in, without fees that the payer bore. */
      readonly amountKobo: Kobo;
      readonly paidAt: Date;
    } & PaidBy)
  /** Paid, but not with money that a wallet may hold: another currency, a sandbox's money. `detail` says how much of what. */
  | ({ readonly kind: "not_creditable"; readonly detail: string } & PaidBy)
  /** Not paid so far. */
  | { readonly kind: "unpaid"; readonly detail: string }
  /** It was paid, and given back. */
  | { readonly kind: "reversed"; readonly detail: string }
  | { readonly kind: "not_found" }
  /** `answer` is for the log: no words of the vendor's. */
  | { readonly kind: "unknown"; readonly detail: string; readonly answer?: string };

export type Callback =
  /** Not the vendor's: nothing of it may be kept. */
  | { readonly kind: "forged" }
  | { readonly kind: "unreadable" }
  /** Something that moves no money into a wallet. */
  | { readonly kind: "ignored"; readonly event: string }
  | { readonly kind: "payment"; readonly reference: string };

export interface FundingDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly log: Log;
}

export interface FundingDefinition {
  /** What `funding.adapter` in the configuration names. */
  readonly adapter: string;
  /** Checks the settings and builds the provider, or lists everything that is wrong with them. */
  build(settings: unknown, deps: FundingDeps): Result<FundingProvider, readonly string[]>;
}
