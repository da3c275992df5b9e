import assert from "node:assert/strict";
import type { ReportMatch } from "../../src/orders/decide-report.ts";
import type { Change, Order } from "../../src/orders/order.ts";
import { hasTakenPiece } from "../../src/orders/pieces.ts";
import type { HintMet } from "../../src/orders/reports.repo.ts";
import type { ServiceDefinition } from "../../src/orders/service-definition.ts";
import { isFinal } from "../../src/orders/steps.ts";
import type { Outcome, ProviderReport } from "../../src/ports/provider.ts";
import type { SimulatedLedger } from "./ledger.ts";
import type { Faults } from "./random.ts";
import { FAILED_HERE, NOT_FOUND, REFUSED_HERE, type SentRequest, type SimulatedVendors, type Take } from "./vendor.ts";

/** What must hold in every history: looked at after each step and at the end. A broken promise is an AssertionError. */
export interface Promises {
  /** A change was applied to the row. */
  changed(change: Change): void;
  /** A node, having read `order`, is about to write a piece to a vendor. */
  sending(order: Order, request: SentRequest): void;
  /**
   * A node that was frozen writes a request now. By now the vendor has been given the same again, and may have refused it; or the
   * order has ended, as its time was over.
   */
  isExcused(order: Order, request: SentRequest): boolean;
  /** A node, having read `order`, asks a vendor about its attempt. */
  asking(order: Order, route: string): void;
  /** A callback that only hints is in the database. */
  hinted(take: Take, word: string, met: HintMet): void;
  /** A sent piece's outcome is recorded by the node that had the lease. */
  recorded(request: SentRequest, outcome: string): void;
  /** A vendor's answer on the attempt with this name of ours is recorded, and the attempt is the order's. */
  heard(ours: string | null, outcome: Outcome): void;
  /** Whether a vendor's word that it has the attempt with this name of ours was recorded: from then on the gateway knows it. */
  isReportedAsTaken(ours: string): boolean;
  taken(take: Take): void;
  /** A vendor's word is committed with its order, which was `before` until then. */
  reported(before: Order, after: Order, report: ProviderReport, match: ReportMatch): void;
  /** Nothing is left to happen. */
  ended(order: Order): void;
}

export interface PromisesOptions {
  readonly service: ServiceDefinition;
  readonly ledger: SimulatedLedger;
  readonly vendors: () => SimulatedVendors;
  readonly faults: Faults;
  readonly walletKobo: bigint;
  readonly pieceCount: number;
}

/** Words by which a vendor has it. */
const TAKEN_BY: ReadonlySet<Outcome["kind"]> = new Set(["accepted", "done", "unknown"]);

export function makePromises({ service, ledger, vendors, faults, walletKobo, pieceCount }: PromisesOptions): Promises {
  const { table } = service;
  const final = (order: Order) => isFinal(table, order.state);
  /** Routes whose recorded answer left open whether they took the order. */
  const unclear = new Set<string>();
  /** By piece: requests written whose outcomes no node has recorded, because it died or lost the lease before. */
  const unrecorded = new Map<number, number>();
  const countUnrecorded = (piece: number, more: number) => unrecorded.set(piece, (unrecorded.get(piece) ?? 0) + more);
  /** What was written of purchases, by our references. */
  const sentAs = new Map<string, SentRequest>();
  const repeated = new Set<string>();
  /** The last word of which a hint has come. */
  const heard = new Map<Take, string>();
  let version = 1;
  /** What the gateway knows that a vendor has, by our references, and what that vendor said of it last, "not found" apart. */
  const reportedAsTaken = new Map<string, Outcome["kind"]>();
  /** Words of vendors against an attempt that are committed, each with our reference. */
  const saidBefore = new Set<string>();
  /** References on which a final word is committed. */
  const decided = new Set<string>();

  /** Whether the order shows that its vendor's last word has come. */
  const isLearned = (order: Order, word: string): boolean => {
    if (word === "reversed") return order.state === "reversed" || (order.state === "failed" && !ledger.lost);
    if (word === "successful") return order.state === "successful" || ledger.lost;
    return order.state === "failed";
  };

  const alive = () => vendors().takes.filter((take) => take.word === "pending" || take.word === "successful");

  const holdAgrees = (order: Order) => {
    const hold = table.states[order.state]?.hold;
    assert.ok(hold, `there is no state ${order.state}`);
    assert.equal(hold === "settled", ledger.hold !== "pending", `${order.state} with its hold ${ledger.hold}`);
  };

  /** Money of a purchase against what the vendors really did. */
  const purchaseMoney = (change: Change) => {
    if (change.money === "void") {
      const vended = alive().filter((take) => !take.lied);
      assert.equal(vended.length, 0, `refunded while ${vended[0]?.route} has vended or may vend (${vended[0]?.word})`);
      assert.equal(vendors().onTheWire, 0, "refunded while a request may still be taken");
    }
    if (change.money === "post")
      assert.ok(
        vendors().takes.some((take) => take.word === "successful" || take.word === "reversed"),
        "charged although no vendor has vended",
      );
  };

  const messageMoney = (change: Change) => {
    if (change.money === "post") assert.ok(vendors().takes.length > 0, "charged although no vendor took it");
    const mayBeTaken = change.before.ambiguousAt !== null || hasTakenPiece(change.before.pieces);
    if (change.money === "void")
      assert.ok(!mayBeTaken || change.before.state === "unknown", `${change.after.state} although it may have left`);
    if (change.after.pieces?.some((piece, index) => index > 0 && piece.status === "refused"))
      assert.ok(final(change.after), `${change.after.state} although a later part was refused`);
    if (change.after.state !== "delivered" || change.before.state === "delivered") return;
    for (let piece = 0; piece < pieceCount; piece++)
      assert.ok(
        vendors().takes.some((take) => take.piece === piece && take.said.has("delivered")),
        `delivered although part ${piece} is not`,
      );
  };

  /** What a vendor has is left, for another or with the money back, by a word that decides alone, never as it does not find it. */
  const leavesNothingBehind = ({ before, after, money, detail }: Change) => {
    const { attemptReference: ours } = before;
    if (ours === null || !reportedAsTaken.has(ours)) return;
    const isLeft =
      money === "void" || after.attemptReference !== ours || (before.pieces !== null && after.pieces === null);
    if (isLeft && TAKEN_BY.has(reportedAsTaken.get(ours)!))
      assert.notEqual(
        detail?.answer,
        NOT_FOUND.detail,
        `${ours} is given up although ${before.route} said that it has it`,
      );
  };

  /**
   * Another vendor gets a purchase that its vendor does not find, or calls failed, only when it has said the same before. With the
   * money back it ends at the first failure, where no other vendor is left. A refusal of what was taken is a failure as well.
   */
  const isSaidTwice = ({ before, after, money, detail }: Change) => {
    const { attemptReference: ours } = before;
    const words = detail?.answer;
    const isFailure = words === FAILED_HERE.detail || words === REFUSED_HERE.detail;
    if (ours === null || (words !== NOT_FOUND.detail && !isFailure)) return;
    const said = `${isFailure ? "failed" : "not found"}: ${ours}`;
    const isLeft = money === "void" || (before.pieces !== null && after.pieces === null);
    const needsTwo = words === NOT_FOUND.detail || (words === FAILED_HERE.detail && money !== "void");
    if (isLeft && needsTwo) assert.ok(saidBefore.has(said), `${before.route} said only once of ${ours}: ${words}`);
    saidBefore.add(said);
  };

  return {
    changed(change) {
      const { before, after } = change;
      // A claim counts a version too, so a change may be the next but one.
      assert.ok(after.version === before.version + 1 && after.version > version, "versions go up one by one");
      version = after.version;
      if (after.state !== before.state) {
        const steps = Object.values(table.steps[before.state] ?? {});
        assert.ok(
          steps.some((step) => step?.to === after.state && step.money === change.money),
          `${before.state} → ${after.state} (${change.money ?? "no money"}) is not in the table`,
        );
        assert.ok(!final(before) || before.state === "successful", `${before.state} was final`);
      }
      assert.equal(after.endedAt !== null, final(after), "an order has its end exactly when its state is final");
      if (before.endedAt !== null) assert.equal(after.endedAt, before.endedAt, "an order ends once");
      // Only a vendor has to be asked: one that hinted at something new and can't be asked just now, or whose success was heard late.
      const isAsked =
        change.money === "post" || (final(before) && (change.detail?.requery !== undefined || change.money === "loss"));
      if (final(after)) assert.ok(change.dueAt === null || isAsked, "nothing is due after the end");
      assert.ok(change.event === undefined || after.state !== before.state, "an event without a new state");
      leavesNothingBehind(change);
      isSaidTwice(change);
      if (change.money) ledger.move(change.money);
      holdAgrees(after);
      if (change.money) (before.ambiguity === "requery" ? purchaseMoney : messageMoney)(change);
    },

    sending(order, request) {
      assert.ok(!final(order) && order.state !== "sent", `sent once more although it is ${order.state}`);
      const known = order.attempt === request.attempt ? order.pieces?.[request.piece]?.status : undefined;
      assert.ok(
        known === undefined ||
          known === "open" ||
          known === "unheard" ||
          (known === "unanswered" && order.ambiguity === "retry"),
        `part ${request.piece} is sent again although it is ${known}`,
      );
      countUnrecorded(request.piece, 1);
      if (order.ambiguity === "requery") {
        assert.ok(request.ours !== null, "sent without a reference");
        const named = sentAs.get(request.ours);
        if (named) {
          assert.deepEqual([named.attempt, named.route], [request.attempt, request.route], `${request.ours} names two`);
          repeated.add(request.ours);
        }
        assert.equal(order.attemptReference, request.ours, "sent under a reference that is not committed");
        sentAs.set(request.ours, request);
        return;
      }
      for (const route of unclear)
        assert.equal(request.route, route, `given to ${request.route} although ${route}'s answer was lost`);
    },
    isExcused: (order, { ours }) => final(order) || repeated.has(ours!),
    asking(order, route) {
      // What was never sent may be asked about; what was sent is asked about where it went, and by the same name.
      const sent = [...sentAs.values()].find((one) => one.attempt === order.attempt);
      if (sent)
        assert.deepEqual([route, order.attemptReference], [sent.route, sent.ours], "asked about something else");
    },
    hinted(take, word, met) {
      assert.notEqual(met, "unknown", `${take.ours} was sent and is not known`);
      if (met !== "outdated") heard.set(take, word);
    },
    heard(ours, outcome) {
      if (ours === null || outcome.kind === "not_found" || outcome.kind === "throttled") return;
      const isWord = outcome.kind !== "unknown" || outcome.isKnown;
      if (isWord && (reportedAsTaken.has(ours) || TAKEN_BY.has(outcome.kind))) reportedAsTaken.set(ours, outcome.kind);
    },
    isReportedAsTaken: (ours) => reportedAsTaken.has(ours),
    recorded(request, outcome) {
      countUnrecorded(request.piece, -1);
      if (outcome === "unknown") unclear.add(request.route);
    },
    taken(take) {
      const { takes } = vendors();
      const same = takes.filter((one) => one.piece === take.piece);
      const ambiguity = take.ambiguity;
      if (ambiguity === "fail") assert.equal(same.length, 1, `part ${take.piece} was taken twice`);
      // Its own outcome is not recorded yet, so that is one of them.
      const most = (service.messageWaits?.("live").retriesMax ?? 0) + (unrecorded.get(take.piece) ?? 0);
      if (ambiguity === "retry")
        assert.ok(same.length <= most, `part ${take.piece} was taken ${same.length} times, ${most} are allowed`);
      if (ambiguity === "requery") {
        const others = alive().filter((one) => !one.lied);
        assert.ok(others.length <= 1, `${others.map((one) => one.route).join(" and ")} vend it both`);
      }
    },

    reported(before, after, report, match) {
      // A word on an attempt that is not the present one is told, and does not make up for the present one's.
      const isOfPresent = match.attempt === before.attempt;
      if (report.providerReference !== undefined && isOfPresent && service.reports.final.has(report.status))
        decided.add(report.providerReference);
      const isPresent = match.attempt === before.attempt && match.piece === 0 && before.pieces?.length === 1;
      if (isPresent && !final(before))
        assert.equal(
          table.states[after.state]?.hold,
          "settled",
          `${after.state} although its vendor said ${report.status}`,
        );
    },

    ended(order) {
      assert.ok(final(order) || order.state === "sent", `it stays ${order.state} for ever`);
      holdAgrees(order);
      if (order.ambiguity !== "requery") {
        const price = ledger.hold === "posted" ? order.priceKobo : 0n;
        assert.equal(ledger.available, walletKobo - price, "the wallet differs from what was taken");
        // Of a part that was taken twice the row knows the second.
        const known = new Set(order.pieces?.map(({ reference }) => reference));
        const present = vendors().takes.filter(({ reference }) => known.has(reference) && decided.has(reference));
        if (order.state === "sent")
          assert.ok(
            new Set(present.map((take) => take.piece)).size < pieceCount,
            "sent, although all reports have come",
          );
        return;
      }
      // A vendor that does not find what it has just hinted at has not told its last word.
      const isDesksWord = faults.happened.has("not found yet") || faults.happened.has("vendor forgets");
      for (const [take, word] of isDesksWord ? [] : heard)
        if (take.word === word && take.attempt === order.attempt)
          assert.ok(isLearned(order, word), `${order.state} although a hint had it asked about, and it was ${word}`);
      const vended = vendors().takes.filter((take) => take.word === "successful");
      const charged = order.state === "successful";
      assert.equal(
        ledger.available,
        walletKobo - (charged ? order.priceKobo : 0n),
        "the price is paid by the successful",
      );
      if (charged) assert.ok(vended.length > 0 || vendors().takes.some((take) => take.word === "reversed"));
      else
        assert.ok(
          vended.every((take) => take.lied),
          `${order.state} although ${vended[0]?.route} has vended`,
        );
    },
  };
}
