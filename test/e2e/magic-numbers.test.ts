import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILURES, type FailureCode } from "../../src/kernel/failures.ts";
import { kobo, parseKobo } from "../../src/kernel/kobo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type Message, type Page, startRig, statesOf } from "./rig.ts";

const rig = await startRig();

interface Row {
  /** Last two digits after +23480000000. */
  readonly number: string;
  readonly onAmbiguous: "retry" | "fail";
  readonly segments: 1 | 2;
  readonly status: string;
  readonly failure?: string;
  /** What the timeline says of the end. */
  readonly told?: RegExp;
  readonly charged: boolean;
  readonly timeline: readonly string[];
  readonly parts?: readonly string[];
  /** How often the message (each of its parts) came over the wire. */
  readonly submits: number;
}

const SENT = ["queued", "sending", "sent"];
const REFUSED = ["queued", "sending", "rejected"];
const TRY = ["queued", "sending"];

/** Both words of `on_ambiguous`, where the answer is never lost. */
const both = (row: Omit<Row, "onAmbiguous">): Row[] => [
  { ...row, onAmbiguous: "retry" },
  { ...row, onAmbiguous: "fail" },
];
/** One part and two, each with the same end. */
const short = { segments: 1, submits: 1 } as const;
const long = { segments: 2, submits: 2 } as const;

/** The contract's table of test mode, for SMS. */
const ROWS: readonly Row[] = [
  ...both({ number: "01", ...short, status: "rejected", failure: "invalid_number", charged: false, timeline: REFUSED }),
  ...both({
    number: "02",
    ...short,
    status: "undelivered",
    failure: "absent_subscriber",
    charged: true,
    timeline: [...SENT, "undelivered"],
  }),
  ...both({ number: "03", ...short, status: "rejected", failure: "dnd", charged: false, timeline: REFUSED }),
  {
    number: "04",
    onAmbiguous: "retry",
    segments: 1,
    submits: 2,
    status: "delivered",
    charged: true,
    timeline: [...TRY, ...SENT, "delivered"],
  },
  {
    number: "04",
    onAmbiguous: "fail",
    ...short,
    status: "failed",
    failure: "outcome_unknown",
    charged: false,
    timeline: [...TRY, "unknown", "failed"],
  },
  {
    number: "05",
    onAmbiguous: "retry",
    segments: 1,
    submits: 3,
    status: "failed",
    failure: "outcome_unknown",
    charged: false,
    timeline: [...TRY, ...TRY, ...TRY, "unknown", "failed"],
  },
  {
    number: "05",
    onAmbiguous: "fail",
    ...short,
    status: "failed",
    failure: "outcome_unknown",
    charged: false,
    timeline: [...TRY, "unknown", "failed"],
  },
  {
    number: "04",
    onAmbiguous: "retry",
    segments: 2,
    submits: 3, // a second part leaves only after the first was taken
    status: "delivered",
    charged: true,
    timeline: [...TRY, ...SENT, "sent", "delivered"],
    parts: ["delivered", "delivered"],
  },
  {
    number: "04",
    onAmbiguous: "fail",
    segments: 2,
    submits: 1,
    status: "failed",
    failure: "outcome_unknown",
    charged: false,
    timeline: [...TRY, "unknown", "failed"],
    parts: ["unknown", "failed"],
  },
  // Receipts come as DELIVRD, ENROUTE, DELIVRD: what changes nothing is a note in the timeline, and a repeat is counted.
  ...both({
    number: "06",
    ...short,
    status: "delivered",
    charged: true,
    timeline: [...SENT, "delivered", "delivered"],
    told: /^report: delivered; .*; repeated once$/,
  }),
  ...both({
    number: "07",
    segments: 1,
    submits: 4,
    status: "delivered",
    charged: true,
    timeline: [...TRY, ...SENT, "delivered"], // three times, in one entry
  }),
  ...both({
    number: "09",
    ...short,
    status: "expired",
    failure: "validity_expired",
    charged: true,
    timeline: [...SENT, "expired"],
  }),
  ...both({ number: "10", ...short, status: "delivered", charged: true, timeline: [...SENT, "delivered"] }),
  ...both({
    number: "10",
    ...long,
    status: "undelivered",
    failure: "absent_subscriber",
    charged: true,
    timeline: [...SENT, "sent", "undelivered"],
    parts: ["delivered", "undelivered"],
  }),
  ...both({
    number: "20",
    ...long,
    status: "delivered",
    charged: true,
    timeline: [...SENT, "sent", "delivered"],
    parts: ["delivered", "delivered"],
  }),
];

const FULL_KOBO = parseKobo("100.00");
const SEGMENT_KOBO = parseKobo("3.20");

/** All at once, each from an account of its own, so that a wallet shows one message's charge. */
const ended = await Promise.all(
  ROWS.map(async (row, index) => {
    const subscriber = await rig.subscriber({ balance: "100.00" });
    const text = `${row.number} ${row.onAmbiguous} ${index}. `.padEnd(
      row.segments === 1 ? 40 : 200,
      "Afara carries it. ",
    );
    const to = `+23480000000${row.number}`;
    const accepted = await subscriber.send({ to, message: text, on_ambiguous: row.onAmbiguous });
    await subscriber.ended(accepted.id, 120_000);
    return { row, subscriber, text, to, accepted, id: accepted.id };
  }),
);

for (const { row, subscriber, text, to, accepted, id } of ended) {
  const name = `${to} in ${row.segments} part(s) with on_ambiguous ${row.onAmbiguous}`;
  test(`${name} ends ${row.status}, ${row.charged ? "charged" : "not charged"}, as the contract says`, async () => {
    // Late receipts come after the final state.
    const message = await waitFor("the last receipt", async () => {
      const seen = await subscriber.status(id);
      const whole = seen.timeline.length >= row.timeline.length && (!row.told || row.told.test(detailOfEnd(seen)));
      return whole ? seen : undefined;
    });
    assert.equal(message.status, row.status);
    assert.equal(message.failure?.code, row.failure);
    if (message.failure) assert.ok(message.failure.detail.startsWith(FAILURES[row.failure as FailureCode].what));
    assert.ok(detailOfEnd(message).length > 0, "the end says why");
    for (const note of message.timeline.filter((entry, index, all) => entry.status === all[index - 1]?.status))
      assert.match(note.detail ?? "", /^part \d; (late )?report: |nothing changed/);
    assert.deepEqual(withoutRepeats(statesOf(message)), withoutRepeats(row.timeline));
    assert.equal(message.timeline.length, row.timeline.length);
    assert.deepEqual(
      message.parts?.map((part) => part.status),
      row.parts,
    );
    assert.equal(message.network_guess, to.startsWith("+2348000000") ? "mtn" : undefined);

    assert.equal(accepted.charge, "held");
    assert.equal(message.charge, row.charged ? "charged" : "returned");
    const [listed] = (await subscriber.get<Page>("/sms/messages")).body.data;
    assert.equal(listed?.charge, message.charge);

    const wallet = await subscriber.wallet();
    const charge = row.charged ? kobo(SEGMENT_KOBO * BigInt(row.segments)) : 0n;
    assert.equal(wallet.balance, FULL_KOBO - charge);
    assert.equal(wallet.held, 0n);

    const submits = await rig.submits([id]);
    assert.equal(submits.length, row.submits);
    const shown = (await subscriber.handset(to)).map((entry) => entry.text);
    assert.deepEqual(shown, row.status === "delivered" ? [text] : []);
  });
}

/** What the entry that ended the message says. */
const detailOfEnd = ({ status, timeline }: Message): string =>
  timeline.find((entry) => entry.status === status)?.detail ?? "";

/** Receipts of one message come over two connections, so which of several is met first is not decided. */
function withoutRepeats(states: readonly string[]): readonly string[] {
  return states.filter((state, index) => state !== states[index - 1]);
}

rig.provesItsLedger();
