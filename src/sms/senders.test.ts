import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newUuid } from "../kernel/ids.ts";
import { NETWORKS, type Network } from "../kernel/networks.ts";
import type { SmsRoute } from "./prices.ts";
import {
  APPROVALS,
  type Approvals,
  approvedSenders,
  askedAgain,
  onAllNetworks,
  SENDER_CLASSES,
  type Sender,
  type SenderClass,
} from "./senders.ts";

const OPEN = { keys: new Set(["afara"]), example: "Afara" };

const sender = (senderClass: SenderClass, networks: Approvals): Sender => ({
  id: newUuid(),
  name: "Acme",
  class: senderClass,
  evidence: null,
  networks,
  reasons: {},
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

const approvals = fc.record({
  mtn: fc.constantFrom(...APPROVALS),
  airtel: fc.constantFrom(...APPROVALS),
  glo: fc.constantFrom(...APPROVALS),
  "9mobile": fc.constantFrom(...APPROVALS),
});
const routes = fc.constantFrom<SmsRoute>("transactional", "promotional");
const networks = fc.constantFrom<Network | null>(...NETWORKS, null);

test("a sender passes exactly where it is approved, for its class; without a guess, approved anywhere is enough", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SENDER_CLASSES),
      approvals,
      routes,
      networks,
      (senderClass, where, route, network) => {
        const rule = approvedSenders(new Map([["acme", sender(senderClass, where)]]), OPEN);
        const isClass = senderClass === "both" || senderClass === route;
        const isThere =
          network === null ? NETWORKS.some((n) => where[n] === "approved") : where[network] === "approved";
        const fault = rule("ACME", route, network);
        assert.equal(fault === undefined, isClass && isThere);
        if (fault) assert.match(fault.detail, /send from "Afara"/);
        assert.equal(rule("aFaRa", route, network), undefined);
      },
    ),
  );
});

test("registering again leaves what was decided, asks anew what was refused, and everything for another class", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SENDER_CLASSES), fc.constantFrom(...SENDER_CLASSES), approvals, (was, is, where) => {
      const now = askedAgain({ class: was, networks: where }, is);
      if (was !== is) assert.deepEqual(now, onAllNetworks("pending"));
      else for (const n of NETWORKS) assert.equal(now[n], where[n] === "refused" ? "pending" : where[n]);
    }),
  );
});
