import type { Msisdn, parseMsisdn } from "../kernel/msisdn.ts";
import type { Fault, FaultCode } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import { textFault } from "./bulk-items.ts";
import type { SmsItem } from "./sms.service.ts";
import { type PreparedText, prepareText } from "./sms.ts";
import type { SmsOptions } from "./terms.ts";

/** How the items of one bulk are chosen. */
export interface Choosing {
  readonly options: SmsOptions;
  /** Why this recipient may not be sent to. */
  readonly whyNot: (to: Msisdn) => Fault | undefined;
  readonly make: (to: Msisdn, text: PreparedText) => NewOrder;
}

export type ParsedNumber = ReturnType<typeof parseMsisdn>;

export interface ItemFault {
  readonly field: "to" | "message" | "reference";
  readonly code: FaultCode;
  readonly detail: string;
}

/** Makes orders of a bulk's items, in their order: each number is accepted once, and each reference. */
export class ItemChooser {
  readonly #choosing: Choosing;
  /** By accepted number. */
  readonly #indexOf = new Map<string, number>();
  /** A bulk's messages are mostly the same text. */
  readonly #texts = new Map<string, ReturnType<typeof prepareText>>();
  /** By reference: why it is in use. It names one order in the account, a message or the bulk itself. */
  readonly #usedBy = new Map<string, string>();

  constructor(choosing: Choosing) {
    this.#choosing = choosing;
    const { reference } = choosing.options;
    if (reference !== undefined) this.#usedBy.set(reference, "The reference is the bulk's own.");
  }

  choose(index: number, item: SmsItem, to: ParsedNumber): Result<NewOrder, ItemFault> {
    if (!to.ok) return faulty("to", to.error);
    const fault = this.#recipientFault(to.value) ?? textFault(item);
    if (fault) return refuse(fault);
    const text = this.#prepared(item.message);
    if (!text.ok) return faulty("message", text.error);
    const usedBy = item.reference === undefined ? undefined : this.#usedBy.get(item.reference);
    if (usedBy !== undefined)
      return faulty("reference", {
        code: "reference_already_used",
        detail: `${usedBy} Give each message one of its own.`,
      });
    if (item.reference !== undefined) this.#usedBy.set(item.reference, `The reference is used at index ${index}.`);
    this.#indexOf.set(to.value, index);
    return ok({ ...this.#choosing.make(to.value, text.value), reference: item.reference ?? null });
  }

  #recipientFault(to: Msisdn): ItemFault | undefined {
    const first = this.#indexOf.get(to);
    if (first !== undefined)
      return {
        field: "to",
        code: "repeated_recipient",
        detail: `The same number is at index ${first}; each is sent to once.`,
      };
    const fault = this.#choosing.whyNot(to);
    return fault && { field: "to", code: fault.code, detail: fault.detail };
  }

  #prepared(message: string): ReturnType<typeof prepareText> {
    const known = this.#texts.get(message);
    if (known) return known;
    const text = prepareText(message, this.#choosing.options.smart_encoding ?? false);
    this.#texts.set(message, text);
    return text;
  }
}

const faulty = (field: ItemFault["field"], { code, detail }: Omit<ItemFault, "field">): Result<never, ItemFault> =>
  refuse({ field, code, detail });
