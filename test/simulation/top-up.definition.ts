import type { PurchaseWaits, ServiceDefinition } from "../../src/orders/service-definition.ts";
import type { StepTable } from "../../src/orders/steps.ts";

/** A purchase as the contract describes it: never refunded while it may have been vended, asked for until the vendor knows. */
export const TOP_UP_STEPS: StepTable = {
  states: {
    processing: { final: false, hold: "pending" },
    successful: { final: true, hold: "settled" },
    failed: { final: true, hold: "settled" },
    reversed: { final: true, hold: "settled" },
  },
  steps: {
    processing: {
      begun: { to: "processing" },
      accepted: { to: "processing" },
      again: { to: "processing" },
      unknown: { to: "processing" },
      done: { to: "successful", money: "post" },
      rejected: { to: "failed", money: "void" },
      exhausted: { to: "failed", money: "void" },
      reversed: { to: "failed", money: "void" },
      "report:successful": { to: "successful", money: "post" },
      "report:failed": { to: "failed", money: "void" },
      "report:reversed": { to: "failed", money: "void" },
    },
    successful: {
      reversed: { to: "reversed", money: "refund" },
      "report:reversed": { to: "reversed", money: "refund" },
    },
    failed: {
      done: { to: "failed", money: "loss" },
      "report:successful": { to: "failed", money: "loss" },
      reversed: { to: "failed", money: "loss_undone" },
      "report:reversed": { to: "failed", money: "loss_undone" },
    },
    reversed: {},
  },
  published: new Set(["successful", "failed", "reversed"]),
};

const LIVE: PurchaseWaits = {
  requeryMs: (n) => Math.min(60_000 * 2 ** n, 3_600_000),
  confirmFailedMs: 60_000,
  notFoundApartMs: 300_000,
  settleMs: 0,
};
const TEST: PurchaseWaits = { ...LIVE, requeryMs: () => 60_000, confirmFailedMs: 6_000, notFoundApartMs: 120_000 };

const WORDS = new Set(["successful", "failed", "reversed"]);

export const TOP_UP: ServiceDefinition = {
  service: "topup",
  idPrefix: "pur",
  forget: (own) => own,
  noun: { one: "purchase", many: "purchases" },
  table: TOP_UP_STEPS,
  reports: {
    // A vendor may take back what it called successful, and vend what it called failed.
    final: new Set(["reversed"]),
    join: ([status]) => (status !== undefined && WORDS.has(status) ? status : undefined),
    failure: (word) => (word === "successful" ? undefined : "rejected_by_network"),
  },
  purchaseWaits: (mode) => (mode === "test" ? TEST : LIVE),
};
