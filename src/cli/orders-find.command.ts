import { SERVICES } from "../app/services.ts";
import { findCase } from "../cases/cases.repo.ts";
import type { Database } from "../db/database.ts";
import { parseChatAddress } from "../kernel/chat-address.ts";
import { decodeId, encodeId, type IdPrefix, type Uuid } from "../kernel/ids.ts";
import { koboForPeople, koboToNaira } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { nearest } from "../kernel/spelling.ts";
import {
  type FoundOrder,
  findAtVendors,
  findGroupOfAnyAccount,
  findLineOrTopup,
  findNamed,
  findOfTransfer,
  type LookUp,
  lookUp,
  TookTooLong,
} from "../orders/look-up.repo.ts";
import { purchaseStatus } from "../purchases/purchase.steps.ts";
import { transferOfLine } from "../wallet/statement.ts";
import { ofAccount } from "./account-argument.ts";
import { recipientText, referenceForms, shownId } from "./order-names.ts";
import { eitherOf, RECIPIENTS, SERVICE_NAMES } from "./recipients.ts";
import { CannotRun, type Report, tableText, tableWithNotes, timeText } from "./report.ts";

/** Orders by recipient, reference or request: `orders list`, and what `orders show` accepts besides an order's id. */

export interface ListOptions {
  readonly to?: string;
  /** By the name of what the orders are for: `{ meter: "45012345678" }`. One at most. */
  readonly numbers?: Readonly<Record<string, string>>;
  readonly reference?: string;
  readonly request?: string;
  readonly account?: Uuid;
  readonly status?: string;
  readonly service?: string;
  readonly mode?: Mode;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit?: number;
}

const LIMIT = 50;
const SINCE_DAYS = 30;
const DAY_MS = 86_400_000;

const NARROWING = ["--account", "--to", ...RECIPIENTS.map(({ name }) => `--${name}`), "--request"].join(", ");
const TOO_LONG = `This took longer than 5 s and was given up, so that the gateway is not slowed down. Say more: ${NARROWING}, or a shorter time with --since and --until.`;

/** Errors: throws `CannotRun` for a look-up that takes too long. */
async function inTime<T>(looking: Promise<T>): Promise<T> {
  try {
    return await looking;
  } catch (error) {
    throw error instanceof TookTooLong ? new CannotRun(TOO_LONG) : error;
  }
}

/** Newest first. A request or a reference names its orders for ever; everything else is looked for in the last 30 days. */
export const ordersList = (db: Database, options: ListOptions, now: Date): Promise<Report> =>
  ofAccount(db, options.account, () => list(db, options, now));

async function list(db: Database, options: ListOptions, now: Date): Promise<Report> {
  const { account, mode, until, limit = LIMIT } = options;
  const isNamed = options.request !== undefined || options.reference !== undefined;
  const since = options.since ?? (isNamed ? undefined : new Date((until ?? now).getTime() - SINCE_DAYS * DAY_MS));
  if (since && until && since >= until)
    throw new CannotRun(`--since (${timeText(since)}) must be before --until (${timeText(until)}).`);
  const [numbered] = RECIPIENTS.flatMap((kind) => readNumber(kind, options.numbers?.[kind.name]) ?? []);
  const phone = options.to === undefined ? undefined : readRecipient(options.to);
  const wanted: LookUp = {
    accountId: account,
    mode,
    service: options.service === undefined ? undefined : readService(options.service),
    states: options.status === undefined ? undefined : readStatus(options.status),
    requestId: options.request === undefined ? undefined : readId("req", "a request", options.request),
    targets:
      options.reference === undefined ? undefined : await inTime(findNamed(db, options.reference, ["reference"])),
    from: since,
    until,
    limit: limit + 1,
  };
  const found = await findAll(db, [
    ...(phone === undefined || numbered === undefined ? [{ ...wanted, recipient: phone, ...numbered }] : []),
    // Whoever pays for a meter is known by the phone that the token goes to.
    ...(phone === undefined ? [] : [{ ...wanted, customer: phone, recipient: numbered?.recipient }]),
  ]);
  if (found.length === 0)
    return { ok: true, json: { ok: true, orders: [], has_more: false }, text: none(options, since) };
  return listOf(found, limit);
}

/** What all of these find, once each, newest first. */
async function findAll(db: Database, wanted: readonly LookUp[]): Promise<readonly FoundOrder[]> {
  const found = new Map<Uuid, FoundOrder>();
  for (const one of wanted) for (const order of await inTime(lookUp(db, one))) found.set(order.order.id, order);
  return [...found.values()].sort((a, b) => (a.order.id < b.order.id ? 1 : -1));
}

function none({ request }: ListOptions, since: Date | undefined): string {
  if (request !== undefined)
    return `${request} made no order that is here. Top-ups, settings and questions make none, and neither does a refusal; the line of the log with this request_id says what it was, see docs/operations/where-is-my-order.md.`;
  return since ? `No order fits since ${timeText(since)}; --since 90d looks further back.` : "No order fits.";
}

/** A list with what helps to tell orders apart. What they say is the customer's, and is not shown. */
function listOf(found: readonly FoundOrder[], limit: number): Report {
  const page = found.slice(0, limit);
  const orders = page.map(({ order, requestId }) => ({
    id: shownId(order),
    account: encodeId("acc", order.accountId),
    service: order.service,
    mode: order.mode,
    state: order.state,
    recipient: recipientText(order),
    price: koboToNaira(order.priceKobo),
    reference: order.reference,
    bulk: order.groupId && encodeId("blk", order.groupId),
    request: requestId && encodeId("req", requestId),
    created_at: order.createdAt.toISOString(),
    ended_at: order.endedAt?.toISOString() ?? null,
  }));
  const rows = page.map(({ order }, index) => {
    const { id, account, service, mode, state, recipient, reference, bulk } = orders[index]!;
    const more = [service, mode, koboForPeople(order.priceKobo), account, reference && `reference ${reference}`, bulk];
    return { cells: [id, timeText(order.createdAt), state, recipient], notes: [more.filter(Boolean).join(" · ")] };
  });
  const hasMore = found.length > limit;
  return {
    ok: true,
    json: { ok: true, orders, has_more: hasMore },
    text:
      tableWithNotes(["ORDER", "CREATED", "STATUS", "TO"], rows) +
      (hasMore ? `\nThe newest ${limit}; there are more.` : ""),
  };
}

/**
 * What somebody says when asked which order it is: an id of anything that leads to one, a phone, the number of a meter, a reference, or
 * a vendor's own number. All that the words may mean is looked for.
 */
export async function findByWords(db: Database, text: string): Promise<readonly FoundOrder[]> {
  const base: LookUp = { limit: LIMIT + 1 };
  const [request, group, opened, transfer] = (["req", "blk", "cas", "trf"] as const).map((prefix) =>
    decodeId(prefix, text),
  );
  if (request) return findAll(db, [{ ...base, requestId: request }]);
  if (transfer) return findAll(db, [{ ...base, targets: await inTime(findOfTransfer(db, transferOfLine(transfer))) }]);
  if (group) return findAll(db, [{ ...base, targets: await inTime(findGroupOfAnyAccount(db, group)) }]);
  const about = opened && (await findCase(db, opened));
  if (about?.accountId && about.orderId)
    return findAll(db, [{ ...base, targets: [{ accountId: about.accountId, id: about.orderId }] }]);
  if (opened) return [];
  const elsewhere = ELSEWHERE.find(([prefix]) => decodeId(prefix, text));
  if (elsewhere) throw new CannotRun(`${text} is ${elsewhere[1]}`);

  const address = parseChatAddress(text, "test");
  const numbered = RECIPIENTS.flatMap(({ service, read }) => {
    const number = read(text);
    return number.ok ? [{ service, recipient: number.value }] : [];
  });
  const targets = [
    ...(await inTime(findNamed(db, text, ["reference", "key"]))),
    ...(await inTime(findAtVendors(db, referenceForms(text)))),
  ];
  return findAll(db, [
    ...(address.ok
      ? [
          { ...base, recipient: address.value },
          { ...base, customer: address.value },
        ]
      : []),
    ...numbered.map((one) => ({ ...base, ...one })),
    ...(targets.length > 0 ? [{ ...base, targets }] : []),
  ]);
}

/** Found nothing by such words. */
export const nothingFound = (text: string): Report => ({
  ok: false,
  json: { ok: false, id: text },
  text: `There is no order ${text}. It was looked for as an id of an order, a bulk, a request, a case or a line of the statement, a phone, ${RECIPIENTS.map(({ name }) => `a ${name}, `).join("")}a reference and a vendor's number.`,
});

/** A line of the statement that is of no order (a top-up, a credit, a fee), or a top-up that nobody has paid yet; undefined without one. */
export async function lineWithoutOrder(db: Database, text: string): Promise<Report | undefined> {
  const id = decodeId("trf", text);
  const line = id && (await inTime(findLineOrTopup(db, transferOfLine(id))));
  if (!line) return undefined;
  const facts = {
    id: text,
    account: encodeId("acc", line.accountId),
    mode: line.mode,
    kind: line.kind,
    amount: koboToNaira(line.amountKobo),
    state: line.state,
    reason: line.reason,
    payment_reference: line.paymentReference,
    created_at: line.createdAt.toISOString(),
  };
  const rows = Object.entries({ ...facts, amount: koboForPeople(line.amountKobo) })
    .slice(1)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name.replaceAll("_", " ").toUpperCase(), String(value)]);
  return {
    ok: true,
    json: { ok: true, line: facts },
    text: `${tableText(["LINE", text], rows)}\n\nIt is of no order.`,
  };
}

/** Several were found. */
export const manyFound = (found: readonly FoundOrder[]): Report => listOf(found, LIMIT);

/** Ids that lead to no order, and what they are good for. */
const ELSEWHERE: readonly (readonly [IdPrefix, string])[] = [
  ["acc", "an account: ./afara orders list --account shows its orders."],
  ["key", "an API key: ./afara key list shows whose it is."],
  ["evt", "an event: ask for the order that it is about."],
  ["ver", `a verification: ask for the number of the ${eitherOf(RECIPIENTS.map(({ name }) => name))}.`],
  ["med", "a file for chat messages: ask for the message."],
];

function readId(prefix: IdPrefix, what: string, text: string): Uuid {
  const id = decodeId(prefix, text.trim());
  if (!id) throw new CannotRun(`"${text}" is not the id of ${what} (${prefix}_…).`);
  return id;
}

function readRecipient(text: string): string {
  // Test numbers are numbers to whoever asks about them.
  const address = parseChatAddress(text, "test");
  if (!address.ok) throw new CannotRun(`--to: ${address.error.detail}`);
  return address.value;
}

function readNumber({ service, name, read }: (typeof RECIPIENTS)[number], text: string | undefined) {
  if (text === undefined) return undefined;
  const number = read(text);
  if (!number.ok) throw new CannotRun(`--${name}: ${number.error.detail}`);
  return { service, recipient: number.value };
}

function readService(text: string): string {
  if (SERVICE_NAMES.includes(text)) return text;
  throw new CannotRun(unknown("service", text, SERVICE_NAMES));
}

/** States by the word that subscribers see, or by their own. */
function readStatus(text: string): readonly string[] {
  const states = [...new Set(SERVICES.flatMap(({ table }) => Object.keys(table.states)))];
  const meant = states.filter((state) => state === text || purchaseStatus(state) === text);
  if (meant.length === 0) throw new CannotRun(unknown("status", text, states));
  return meant;
}

function unknown(what: string, text: string, known: readonly string[]): string {
  const [near] = nearest(text, known);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `--${what}: "${text}" is no ${what}.${hint} There are: ${known.join(", ")}.`;
}
