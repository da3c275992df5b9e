import type {
  BankAccount,
  Callback,
  FundingDeps,
  FundingProvider,
  LinkRequest,
  Opened,
  Payer,
  Verification,
} from "../../ports/funding.ts";
import type { Contact } from "../../ports/provider.ts";
import { type AccessProbe, makeAccessProbe, PROBE_MS } from "../access-probe.ts";
import { type HttpCall, type HttpOutcome, httpCall } from "../http-call.ts";
import { accessOf } from "./access.ts";
import { type Answer, isObject, parseJson, readAnswer, textOf } from "./answer.ts";
import type { PaystackSettings } from "./settings.ts";
import { verificationOf } from "./verification.ts";
import { isSigned, SIGNATURE_HEADER } from "./wire/signature.ts";

const BASE_URL = "https://api.paystack.co";
const TIMEOUT_MS = 15_000;
const REFERENCE_LENGTH_MAX = 200;

/** Paystack, as far as wallets are concerned: payment pages, account numbers, verification, signed callbacks. */
export class PaystackFunding implements FundingProvider {
  readonly name = "paystack";
  readonly signatureHeader = SIGNATURE_HEADER;
  readonly #settings: PaystackSettings;
  readonly #deps: FundingDeps;
  readonly #access: AccessProbe;

  constructor(settings: PaystackSettings, deps: FundingDeps) {
    this.#settings = settings;
    this.#deps = deps;
    const limitMs = Math.min(settings.timeoutMs ?? TIMEOUT_MS, PROBE_MS);
    const ask = async () => accessOf(await this.#call("GET", "/balance", undefined, limitMs));
    this.#access = makeAccessProbe({ provider: this.name, ask, ...deps });
  }

  start(): void {
    this.#access.start(() => undefined);
  }

  stop(): void {
    this.#access.stop();
  }

  contact(): Contact {
    return this.#access.contact;
  }

  async createLink({ reference, amountKobo, payer }: LinkRequest): Promise<Opened<string>> {
    const { returnUrl } = this.#settings;
    const answer = await this.#ask("POST", "/transaction/initialize", {
      email: this.#emailOf(payer),
      amount: Number(amountKobo),
      currency: "NGN",
      reference,
      ...(returnUrl !== undefined && { callback_url: returnUrl }),
      metadata: { account: payer.id },
    });
    if (answer.kind !== "success") return failed(answer);
    const url = textOf(answer.data.authorization_url);
    if (url === undefined || !URL.canParse(url) || !/^https?:/.test(url) || answer.data.reference !== reference)
      return { kind: "failed", detail: "the answer has no payment page for our reference" };
    return { kind: "opened", value: url };
  }

  async openAccount(payer: Payer): Promise<Opened<BankAccount>> {
    const email = this.#emailOf(payer);
    const { customerPhone, preferredBank } = this.#settings;
    // An address that is known already gives the same customer again.
    const customer = await this.#ask("POST", "/customer", {
      email,
      first_name: payer.name,
      last_name: payer.id,
      ...(customerPhone !== undefined && { phone: customerPhone }),
    });
    if (customer.kind !== "success") return failed(customer);
    const code = textOf(customer.data.customer_code);
    if (code === undefined) return { kind: "failed", detail: "the answer has no customer code" };

    // The answer to an earlier try may have been lost: an account number that is there is used.
    const known = await this.#ask("GET", `/customer/${encodeURIComponent(code)}`);
    if (known.kind !== "success") return failed(known);
    const existing = accountOf(code, known.data.dedicated_account);
    if (existing) return { kind: "opened", value: existing };

    const opened = await this.#ask("POST", "/dedicated_account", {
      customer: code,
      ...(preferredBank !== undefined && { preferred_bank: preferredBank }),
    });
    if (opened.kind !== "success") return failed(opened);
    const account = accountOf(code, opened.data);
    return account
      ? { kind: "opened", value: account }
      : { kind: "failed", detail: "the answer has no account number" };
  }

  async verify(reference: string): Promise<Verification> {
    const answer = await this.#ask("GET", `/transaction/verify/${encodeURIComponent(reference)}`);
    return verificationOf(reference, answer, this.#settings);
  }

  readCallback(body: Buffer, header: (name: string) => string | undefined): Callback {
    if (!isSigned(this.#settings.secretKey, body, header(SIGNATURE_HEADER))) return { kind: "forged" };
    const message = parseJson(body.toString("utf8"));
    const event = isObject(message) ? textOf(message.event) : undefined;
    if (!isObject(message) || event === undefined) return { kind: "unreadable" };
    if (event !== "charge.success") return { kind: "ignored", event };
    const reference = isObject(message.data) ? textOf(message.data.reference) : undefined;
    // Control characters can't be stored, and no reference of Paystack's has them.
    return reference !== undefined && reference.length <= REFERENCE_LENGTH_MAX && /^[\x21-\x7e]+$/.test(reference)
      ? { kind: "payment", reference }
      : { kind: "unreadable" };
  }

  #emailOf(payer: Payer): string {
    return this.#settings.customerEmail.replace("{account}", payer.id);
  }

  async #ask(method: HttpCall["method"], path: string, body?: object): Promise<Answer> {
    return readAnswer(await this.#call(method, path, body, this.#settings.timeoutMs ?? TIMEOUT_MS));
  }

  #call(method: HttpCall["method"], path: string, body: object | undefined, timeoutMs: number): Promise<HttpOutcome> {
    const { secretKey, baseUrl = BASE_URL } = this.#settings;
    return httpCall(this.#deps.fetch, {
      method,
      url: `${baseUrl.replace(/\/+$/, "")}${path}`,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      timeoutMs,
    });
  }
}

const failed = (answer: Exclude<Answer, { kind: "success" }>): Opened<never> => ({
  kind: "failed",
  detail: answer.answer,
});

function accountOf(customer: string, data: unknown): BankAccount | undefined {
  if (!isObject(data) || !isObject(data.bank)) return undefined;
  const accountNumber = textOf(data.account_number);
  const bank = textOf(data.bank.name);
  if (accountNumber === undefined || !/^\d{10}$/.test(accountNumber) || bank === undefined) return undefined;
  return { customer, bank, accountNumber, accountName: textOf(data.account_name) ?? "" };
}
