import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { sayRepeats } from "../orders/throttled.ts";
import { storedChat } from "./chat.definition.ts";

/** How the life of a message is told to subscribers. */

type Via = "chat" | "sms";

interface Entry {
  readonly status: string;
  readonly at: string;
  readonly via?: Via;
  detail?: string;
}

/**
 * Every state in order. A message that was not marked before its call gets its `sending` from the record of the answer. What
 * changed nothing is told as a note, with the state that the message was in, and its repeats are counted there.
 */
export function timelineView(order: Order, rows: readonly TimelineRow[]): Entry[] {
  const fallback = storedChat(order).fallback;
  const goesBy = (via: Via) => (fallback ? { via } : {});
  let via: Via = fallback?.at_once ? fallback.via : "chat";
  const entries: Entry[] = [
    {
      status: "queued",
      at: order.createdAt.toISOString(),
      ...goesBy(via),
      ...(fallback?.at_once && { detail: `the window was closed; ${INSTEAD}` }),
    },
  ];
  const notes = new Map<string, { readonly entry: Entry; readonly detail: string; repeats: number }>();
  for (const row of rows) {
    const { status, previous_status: before, at, detail } = row;
    // Nor has one that was begun once more after it was throttled a row of that.
    const isUntold = before === "sending" && entries.at(-1)?.status === "queued";
    if ((isUntold || (before === "queued" && status !== "sending")) && typeof detail?.begun_at === "string")
      entries.push({ status: "sending", at: detail.begun_at, ...goesBy(via) });
    const said = wordsOf(detail);
    const isNote =
      status === before && said.length > 0 && ("report" in (detail ?? {}) || "late_answer" in (detail ?? {}));
    const words = isNote ? [...said, "nothing changed"] : said;
    const key = JSON.stringify([detail?.report, detail?.answer, detail?.late_answer, detail?.first_way]);
    const known = isNote ? notes.get(key) : undefined;
    if (known) {
      known.repeats += 1;
      known.entry.detail = `${known.detail}; repeated ${known.repeats === 1 ? "once" : `${known.repeats} times`}`;
      continue;
    }
    // That the vendor took it, while it was being sent, is no news to the subscriber.
    if (status === before && words.length === 0) continue;
    const text = words.length > 0 ? words.join("; ") : whyEnded(order, row);
    // Its first way was done after all.
    if (detail?.first_way && status !== before) via = "chat";
    const about = goesBy(detail?.first_way ? "chat" : via);
    const entry: Entry = { status, at: at.toISOString(), ...about, ...(text !== undefined && { detail: text }) };
    entries.push(entry);
    if (detail?.instead && fallback) via = fallback.via;
    if (isNote) notes.set(key, { entry, detail: text ?? "", repeats: 0 });
  }
  return entries;
}

/** An end that no vendor spoke of is told by its failure. */
const whyEnded = (order: Order, { status, previous_status: before }: TimelineRow): string | undefined =>
  order.endedAt !== null && status === order.state && before !== status
    ? (order.facts?.failure as { detail: string } | undefined)?.detail
    : undefined;

const INSTEAD = "the fallback is sent";

function wordsOf(detail: TimelineRow["detail"]): string[] {
  if (!detail) return [];
  const { report, answer, late, late_answer: lateAnswer, lost_answers: lostAnswers, resolved, instead, until } = detail;
  const repeats = sayRepeats(detail);
  return [
    ...(typeof report === "string" ? [`${late ? "late report" : "report"}: ${report}`] : []),
    ...(typeof answer === "string" ? [answer] : []),
    ...(repeats === undefined ? [] : [repeats]),
    ...(typeof lateAnswer === "string" ? [`an earlier try was answered late: ${lateAnswer}`] : []),
    ...(typeof lostAnswers === "number" ? [`trying again (${lostAnswers} lost)`] : []),
    // The proof is between the operator and the vendor.
    ...(typeof resolved === "string" ? ["settled by the operator"] : []),
    ...(instead ? [INSTEAD] : []),
    ...(typeof until === "string" ? [`waits until ${until}`] : []),
  ];
}
