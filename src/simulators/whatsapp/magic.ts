/** What the network does with messages to one phone. */
export interface MagicPhone {
  readonly meaning: string;
  /** Calls that are not taken: with which code (null: no answer at all), and which of an order's calls. */
  readonly notTaken?: { readonly code: number | null; readonly which: "all" | "first" | "first_three" };
  /** What the statuses of a taken message say, in the order of coming; `failed` with its code. Ordinary when absent. */
  readonly statuses?: readonly (Word | readonly ["failed", code: number])[];
  /** Only what needs the window meets it. */
  readonly isFreeOnly?: true;
}

export type Word = "sent" | "delivered" | "read";

/** The magic numbers of test mode, by their last two digits after +23480000000. Every other phone is ordinary. */
export const MAGIC_PHONES: Readonly<Record<string, MagicPhone>> = {
  "01": { meaning: "refused at once, 131026: not on the network", notTaken: { code: 131026, which: "all" } },
  "02": { meaning: "sent, then failed with 131036: not reached", statuses: ["sent", ["failed", 131036]] },
  "03": {
    meaning: "refused at once, 131050: the recipient stopped the business's messages",
    notTaken: { code: 131050, which: "all" },
  },
  "04": { meaning: "the first attempt is neither accepted nor answered", notTaken: { code: null, which: "first" } },
  "05": { meaning: "never accepted, never answered", notTaken: { code: null, which: "all" } },
  "06": {
    meaning: "delivered; statuses repeated and out of order",
    statuses: ["delivered", "sent", "delivered", "sent", "delivered"],
  },
  "07": { meaning: "throttled three times (130429)", notTaken: { code: 130429, which: "first_three" } },
  "08": {
    meaning: "failed with 131047, though the window is open; templates arrive",
    statuses: [["failed", 131047]],
    isFreeOnly: true,
  },
  "09": { meaning: "sent, and no further report", statuses: ["sent"] },
};

const ORDINARY: MagicPhone = { meaning: "ordinary" };

export function magicPhone(msisdn: string): MagicPhone {
  const digits = /^23480000000(\d\d)$/.exec(msisdn)?.[1] ?? "";
  return Object.hasOwn(MAGIC_PHONES, digits) ? (MAGIC_PHONES[digits] ?? ORDINARY) : ORDINARY;
}
