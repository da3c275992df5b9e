import { within } from "../kernel/deadline.ts";
import type { Log } from "../kernel/log.ts";
import type { FoundOrNot, Unavailable, Verified } from "../ports/verified.ts";
import type { Seller } from "./sellers.ts";

/** Somebody waits for the answer, and asking moves nothing: a vendor that is slow is left for the next one. */
const ASK_WITHIN_MS = 10_000;

/** The first answer of these sellers that says whom a recipient belongs to, or that there is none; undefined when nobody can say. */
export async function askSellers<Found>(
  sellers: readonly Seller[],
  log: Log,
  ask: (seller: Seller) => Promise<Verified<Found>> | undefined,
): Promise<{ readonly provider: string; readonly answer: FoundOrNot<Found> } | undefined> {
  for (const seller of sellers) {
    const answer = await askOne(() => ask(seller));
    if (answer.kind !== "unavailable") return { provider: seller.name, answer };
    log.warn({ provider: seller.name, detail: answer.detail }, "a vendor can't say whom a recipient belongs to");
  }
  return undefined;
}

async function askOne<Found>(ask: () => Promise<Verified<Found>> | undefined): Promise<Verified<Found>> {
  const late: Unavailable = { kind: "unavailable", detail: "no answer in time" };
  try {
    const asked = ask();
    return (asked && (await within(asked, ASK_WITHIN_MS))) ?? late;
  } catch (error) {
    return { kind: "unavailable", detail: (error as Error).name };
  }
}
