import { audit } from "../accounts/audit.repo.ts";
import { HOLD_RULES, SERVICES } from "../app/services.ts";
import { attemptsOf, casesOfOrder, closeUnknown } from "../cases/cases.repo.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database, Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { koboForPeople, koboToNaira } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import { traceIdOf } from "../kernel/trace.ts";
import { type OrderTransfer, readTransfers } from "../ledger/ledger.repo.ts";
import { findOrderOfAnyAccount, findStuck, type StuckOrder } from "../orders/inspect.repo.ts";
import { nodeRoutes, pausedRoutes } from "../orders/nodes.repo.ts";
import type { Order } from "../orders/order.ts";
import { readTimeline, type TimelineRow } from "../orders/orders.repo.ts";
import { deniedSince } from "../orders/pieces.ts";
import { type Resolution, resolveOrder } from "../orders/resolve.ts";
import type { ServiceDefinition } from "../orders/service-definition.ts";
import { CHARGE_OF, stepFor } from "../orders/steps.ts";
import type { TokenParcel } from "../ports/purchase.ts";
import { hideCodes } from "../purchases/answer-tokens.ts";
import { readNotices } from "../purchases/notices.repo.ts";
import { hasTokens, makeTokenSeal } from "../purchases/tokens.ts";
import type { Session } from "./cli.ts";
import { connectionText } from "./connections.ts";
import { ORDER_IDS, readOrderId, recipientText, shownId } from "./order-names.ts";
import { purchaseSteps, stepsOf } from "./order-steps.ts";
import { findByWords, lineWithoutOrder, manyFound, nothingFound } from "./orders-find.command.ts";
import { eitherOf, TOKEN_SERVICES } from "./recipients.ts";
import { CannotRun, type Report, refusedReport, tableText, tableWithNotes } from "./report.ts";
import { ownSecret } from "./secret.ts";
import { keyChangeFault } from "./token-argument.ts";

/** A working gateway takes a due order within a second; five minutes also cover a restart and an expiring lease. */
const OVERDUE_SECONDS = 300;
const STUCK_MAX = 100;

/** The meaning of each reason and what to do. */
const WHY: Readonly<Record<StuckOrder["why"], string>> = {
  overdue: `due for more than ${OVERDUE_SECONDS / 60} minutes, but no node has taken it. Is a gateway running, and a route connected? See ./afara doctor`,
  waiting:
    "a node keeps retrying it, but no route can take it. Is one connected and not paused? See ./afara providers status",
  forgotten:
    "its money is held and nothing will process it. This is a bug in Afara: save the output of ./afara orders show and report it",
};

/** States in which an order waits for its scheduled time, as `service state`. */
const SLEEPING = SERVICES.flatMap(({ service, table }) =>
  Object.keys(table.states)
    .filter((state) => stepFor(table, state, "woken") !== undefined)
    .map((state) => `${service} ${state}`),
);

function orderId(text: string): Uuid {
  const id = readOrderId(text);
  if (!id) throw new CannotRun(`"${text}" is not an order ID (${ORDER_IDS})`);
  return id;
}

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Pieces are numbered from 1 in output. */
const shownDetail = (detail: TimelineRow["detail"]): TimelineRow["detail"] =>
  typeof detail?.piece === "number" ? { ...detail, piece: detail.piece + 1 } : detail;

const moneyText = ({ kind, state, amountKobo, postedKobo }: OrderTransfer): string => {
  if (kind !== "hold") return kind;
  const ofMore = postedKobo !== null && postedKobo < amountKobo ? ` of ${koboForPeople(amountKobo)} held` : "";
  return `${CHARGE_OF[state]}${ofMore}`;
};

/** The note on a vendor's answer that could not be read in full; its case opens within a minute. */
function doubtText(cases: readonly { readonly id: string; readonly kind: string }[]): string {
  const doubt = cases.find(({ kind }) => kind === "answer_in_doubt");
  const answer = doubt
    ? `./afara cases show ${doubt.id} --answer`
    : "a case opens within a minute, see ./afara cases list";
  return `the vendor's answer does not match what was read from it: ${answer}`;
}

/** One order with its timeline and transfers, by its ID or other words; a list if several match. */
export async function ordersShow(db: Database, file: ConfigFile, text: string): Promise<Report> {
  const id = readOrderId(text.trim());
  if (id) return showOrder(db, file, id, text);
  const found = await findByWords(db, text.trim());
  const [first, second] = found;
  if (!first) return (await lineWithoutOrder(db, text.trim())) ?? nothingFound(text);
  return second ? manyFound(found) : showOrder(db, file, first.order.id, text);
}

/** Why no route can take a waiting order; undefined if one can. */
async function whyWaiting(db: Db, { routes }: ConfigFile, { service, mode }: Order): Promise<string | undefined> {
  const names = routes.filter((one) => one.service === service && one.modes.includes(mode)).map((one) => one.provider);
  if (names.length === 0) return `no route for ${service} in ${mode} mode is configured`;
  const reported = Map.groupBy(await nodeRoutes(db), ({ route }) => route);
  const paused = await pausedRoutes(db);
  if (names.some((name) => !paused.has(name) && reported.get(name)?.some(({ ready }) => ready))) return undefined;
  const whys = names.map(
    (name) => `${name}: ${paused.has(name) ? "paused" : connectionText(reported.get(name) ?? [])}`,
  );
  return `no route is connected (${whys.join("; ")})`;
}

/** The message's text is private to the customer and is not shown. */
async function showOrder(db: Db, file: ConfigFile, id: Uuid, text: string): Promise<Report> {
  const found = await findOrderOfAnyAccount(db, id);
  if (!found) return { ok: false, json: { ok: false, id: text }, text: `There is no order ${text}.` };
  const { order, dueAt, requestId } = found;
  const notice = (await readNotices(db, order.accountId, [id])).get(id);
  const sleeps = SLEEPING.includes(`${order.service} ${order.state}`);
  const waits =
    order.endedAt === null && order.route === null && !sleeps ? await whyWaiting(db, file, order) : undefined;

  const timeline = await readTimeline(db, order.accountId, id);
  const transfers = await readTransfers(db, order.accountId, id);
  const attempts = await attemptsOf(db, order);
  const cases = (await casesOfOrder(db, id)).map((one) => ({
    id: encodeId("cas", one.id),
    kind: one.kind,
    status: one.closedAt ? "closed" : "open",
    why: typeof one.evidence.why === "string" ? one.evidence.why : null,
  }));
  const reversedAt =
    order.state === "reversed" ? timeline.findLast(({ status }) => status === "reversed")?.at : undefined;
  const bought = SERVICES.find(({ service }) => service === order.service)?.boughtOf?.(order);
  const isDenied = order.endedAt === null && deniedSince(order.pieces) !== undefined;
  const facts = {
    id: shownId(order),
    uuid: id,
    trace: traceIdOf(id),
    account: encodeId("acc", order.accountId),
    service: order.service,
    mode: order.mode,
    state: order.state,
    recipient: order.recipient,
    ...(bought && { bought }),
    price: koboToNaira(order.priceKobo),
    route: order.route,
    ...(waits !== undefined && { waits }),
    attempt: order.attempt,
    on_ambiguous: order.ambiguity,
    reference: order.reference,
    request: requestId && encodeId("req", requestId),
    bulk: order.groupId && encodeId("blk", order.groupId),
    // The message that notified its customer.
    ...(notice && { notice: notice.message_id ?? `${notice.status}: ${notice.failure?.detail ?? "not made yet"}` }),
    created_at: timeText(order.createdAt),
    send_at: timeText(order.sendAt),
    leaves_at: sleeps ? timeText(dueAt) : null,
    due_at: sleeps ? null : timeText(dueAt),
    expires_at: timeText(order.expiresAt),
    leased_until: timeText(order.leasedUntil),
    ended_at: timeText(order.endedAt),
    ...(isDenied && {
      held_because: `${order.route} reported that it took the order, but since ${deniedSince(order.pieces)} reports no record of it, which proves nothing. See ./afara cases list; with the vendor's proof, ./afara orders resolve ends the order`,
    }),
    ...(order.facts?.doubt !== undefined && { in_doubt: doubtText(cases) }),
    ...(reversedAt && { reversed_at: timeText(reversedAt) }),
  };
  const rows = timeline.map((row) => ({ ...row, detail: shownDetail(row.detail) }));
  const steps = rows.map(({ at, previous_status, status, detail }) => ({
    at: at.toISOString(),
    from: previous_status,
    to: status,
    detail,
  }));
  const pieces = (order.pieces ?? []).map((piece, index) => ({ piece: index + 1, ...piece }));
  const money = transfers.map(({ kind, state, amountKobo, postedKobo }) => ({
    kind,
    state,
    amount: koboToNaira(amountKobo),
    posted: postedKobo === null ? null : koboToNaira(postedKobo),
  }));

  const forPeople = { ...facts, recipient: recipientText(order), price: koboForPeople(order.priceKobo) };
  // What was bought has a row for each member.
  const rowsForPeople = Object.entries(forPeople).flatMap(([name, value]): readonly (readonly [string, unknown])[] =>
    name === "bought" ? Object.entries(bought ?? {}) : [[name, value]],
  );
  const parts = [
    tableText(
      ["ORDER", facts.id],
      rowsForPeople
        .slice(1)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => [name.replaceAll("_", " ").toUpperCase(), String(value)]),
    ),
    ...(cases.length === 0
      ? []
      : [
          tableWithNotes(
            ["CASE", "STATUS", "KIND"],
            cases.map((one) => ({ cells: [one.id, one.status, one.kind], notes: [one.why ?? ""] })),
          ),
        ]),
    // The vendor knows the purchase by these references.
    ...(attempts.length === 0
      ? []
      : [
          tableText(
            ["ATTEMPT", "ROUTE", "OUR REFERENCE"],
            attempts.map(({ attempt, route, reference }) => [String(attempt), route, reference]),
          ),
        ]),
    tableWithNotes(
      ["AT", "STEP"],
      (order.ambiguity === "requery" ? purchaseSteps(rows, attempts) : stepsOf(rows)).map(({ at, step, note }) => ({
        cells: [at.toISOString(), step],
        notes: [note],
      })),
    ),
    ...(pieces.length === 0
      ? []
      : [
          tableText(
            ["PIECE", "STATUS", "VENDOR'S REFERENCE"],
            pieces.map(({ piece, status, reference }) => [String(piece), status, reference ?? ""]),
          ),
        ]),
    ...(transfers.length === 0
      ? []
      : [
          tableText(
            ["MONEY", "AMOUNT"],
            transfers.map((transfer) => [
              moneyText(transfer),
              koboForPeople(transfer.postedKobo ?? transfer.amountKobo),
            ]),
          ),
        ]),
  ];
  return {
    ok: true,
    json: {
      ok: true,
      order: facts,
      cases,
      attempts: attempts.map(({ begunAt, ...attempt }) => ({ ...attempt, begun_at: timeText(begunAt) })),
      timeline: steps,
      pieces,
      transfers: money,
    },
    text: parts.join("\n\n"),
  };
}

export interface ResolveOptions extends Pick<Resolution, "as" | "proof"> {
  /** Tokens from the vendor, for a purchase that brings some. */
  readonly tokens?: readonly TokenParcel[];
  readonly withoutToken?: boolean;
}

/** Ends an order with an unknown outcome. State, money, event, timeline and audit log change in one transaction. */
export async function ordersResolve(
  { db, config, operator, clock }: Session,
  text: string,
  { as, proof: written, tokens = [], withoutToken = false }: ResolveOptions,
): Promise<Report> {
  const id = orderId(text);
  // The vendor's words may contain a token, which is money: it is never stored in clear text.
  const proof = hideCodes(
    written.trim(),
    tokens.map(({ value }) => value),
  );
  const found = await findOrderOfAnyAccount(db, id);
  const service = SERVICES.find((known) => known.service === found?.order.service);
  if (!found || !service) return refusedReport(refusal("not_found", `There is no order ${text}.`));
  const { order } = found;
  const subject = shownId(order);
  const unfit = tokenFault(service, order, as, tokens, withoutToken);
  if (unfit !== undefined) return refusedReport(refusal("invalid_state", unfit));
  const seal = tokens.length > 0 ? makeTokenSeal(await ownSecret(db, config)) : undefined;
  const facts = seal?.seal(order.id, { tokens });
  const resolved = await db.transaction(async (tx) => {
    const done = await resolveOrder(tx, service, order, { as, proof, ...(facts && { facts }) }, clock.now());
    if (done.ok) {
      await closeUnknown(tx, id, `resolved as ${done.value.state}: ${proof}`, clock.now());
      await audit(tx, {
        actor: operator,
        action: "order.resolve",
        subject,
        details: {
          account: encodeId("acc", order.accountId),
          from: order.state,
          to: done.value.state,
          ...(tokens.length > 0 && { tokens: tokens.length }),
        },
        reason: proof,
      });
    }
    return done;
  });
  if (!resolved.ok) return refusedReport(resolved.error);
  const { state } = resolved.value;
  return {
    ok: true,
    json: { ok: true, id: subject, state, previous_state: order.state },
    text: `${subject} was ${order.state} and is now ${state}. Its transfers: ./afara orders show ${subject}`,
  };
}

/** A successful purchase of a service with tokens needs one or an explicit `--without-token`. */
function tokenFault(
  { service, tokens: sold }: ServiceDefinition,
  order: Order,
  as: string,
  tokens: readonly TokenParcel[],
  isWaived: boolean,
): string | undefined {
  const mayHave = sold !== undefined && (sold.isDue?.(order) ?? true);
  const isGiven = tokens.length > 0;
  if ((isGiven || isWaived) && !(mayHave && as === "successful"))
    return `--token and --without-token are only for purchases that bring tokens (${eitherOf(TOKEN_SERVICES)}), resolved as successful. Nothing was changed.`;
  if (isGiven && isWaived) return "Give --token or --without-token, not both. Nothing was changed.";
  const [paid, ...others] = sold?.kinds ?? [];
  const foreign = tokens.find(({ kind }) => kind !== paid && !others.includes(kind));
  if (foreign)
    return `${service} has no ${foreign.kind} tokens: its kinds are ${sold?.kinds.join(", ")}. Nothing was changed.`;
  if (isGiven && !tokens.some(({ kind }) => kind === paid))
    return `None of the tokens is a ${paid} token, which is what the customer paid for; a token without a kind may be one. Nothing was changed.`;
  const half = keyChangeFault(tokens);
  if (half !== undefined) return `${half} Nothing was changed.`;
  const needsToken = mayHave && as === "successful" && !hasTokens(order) && !isGiven && !isWaived;
  return needsToken
    ? `The customer has no ${sold.noun} for this purchase yet. Ask the vendor for it and give it with --token (repeat for several; ${sold.form}): the customer gets it as usual. If the vendor delivered without one, give --without-token. Nothing was changed.`
    : undefined;
}

/** Orders that have stopped making progress. */
export async function ordersStuck(db: Database): Promise<Report> {
  const undecided = HOLD_RULES.filter(({ hold }) => hold === "pending").map(
    ({ service, state }) => [service, state] as const,
  );
  const found = await findStuck(db, {
    overdueSeconds: OVERDUE_SECONDS,
    undecided,
    sleeping: SLEEPING,
    limit: STUCK_MAX,
  });
  const orders = found.map(({ order, why, since }) => ({
    id: shownId(order),
    account: encodeId("acc", order.accountId),
    queue: order.queue,
    state: order.state,
    why,
    since: since.toISOString(),
  }));
  const ok = orders.length === 0;
  const words = Object.entries(WHY).filter(([word]) => orders.some(({ why }) => why === word));
  const more = orders.length === STUCK_MAX ? `\nThese are the ${STUCK_MAX} oldest; there may be more.` : "";
  return {
    ok,
    json: { ok, orders },
    text: ok
      ? "No order is stuck."
      : `${tableText(
          ["ORDER", "QUEUE", "STATUS", "WHY", "SINCE"],
          orders.map(({ id, queue, state, why, since }) => [id, queue, state, why, since]),
        )}${more}\n\n${words.map(([word, meaning]) => `${word}: ${meaning}.`).join("\n")}`,
  };
}
