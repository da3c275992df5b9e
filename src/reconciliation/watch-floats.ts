import { openCase } from "../cases/cases.repo.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { encodeId } from "../kernel/ids.ts";
import { type Kobo, kobo, koboToNaira, ZERO_KOBO } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Provider } from "../ports/provider.ts";
import { claimLook, type Float, readFloats, readSpent, readUndecided, saveFloat } from "./floats.repo.ts";

/** The look-back period of a provider's first reading. */
const FIRST_LOOK_BACK_MS = 7 * DAY_MS;

export interface WatchedProvider {
  readonly name: string;
  readonly balance: NonNullable<Provider["balance"]>;
  /** The low-balance threshold. */
  readonly lowKobo: Kobo | undefined;
}

export interface WatchFloatsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly providers: readonly WatchedProvider[];
  readonly everyMs: number;
}

/**
 * Compares our balance at each vendor with our purchases there since the last reading. Any number of nodes may run it at once; one
 * of them reads the balance.
 */
export function makeWatchFloats({ db, clock, log, providers, everyMs }: WatchFloatsOptions): () => Promise<void> {
  const look = async ({ name, balance, lowKobo }: WatchedProvider, before: Float | undefined) => {
    const at = clock.now();
    const balanceKobo = await balance();
    if (balanceKobo === undefined) return;
    const float = await explain(name, at, balanceKobo, before);
    await saveFloat(db, float.now);
    if (lowKobo !== undefined && balanceKobo < lowKobo)
      log.error(
        { provider: name, balance: koboToNaira(balanceKobo), low_float: koboToNaira(lowKobo) },
        "our money at a vendor runs low: pay in",
      );
    if (float.missing) await tellMissing(float.now);
  };

  /**
   * What ended by our books between the looks was paid in between, but for what was open at one of them: that may have been paid
   * on the other side of it. So a difference is one only if it is larger than what was open.
   */
  const explain = async (provider: string, at: Date, balanceKobo: Kobo, before: Float | undefined) => {
    const begunSince = before ? (before.undecidedSince ?? before.at) : new Date(at.getTime() - FIRST_LOOK_BACK_MS);
    const undecided = await readUndecided(db, { provider, from: at, to: clock.now(), begunSince });
    const now: Float = {
      provider,
      at,
      balanceKobo,
      since: before?.at ?? null,
      spentKobo: null,
      unexplainedKobo: null,
      ...undecided,
    };
    if (!before) return { now, missing: false };
    const { spentKobo, uncertainKobo } = await readSpent(db, { provider, from: before.at, to: at, begunSince });
    const unexplainedKobo = kobo(balanceKobo - before.balanceKobo + spentKobo);
    const leewayKobo = undecided.undecidedKobo + uncertainKobo;
    return { now: { ...now, spentKobo, unexplainedKobo }, missing: unexplainedKobo < -leewayKobo };
  };

  const tellMissing = async ({
    provider,
    at,
    since,
    balanceKobo,
    spentKobo,
    unexplainedKobo,
    undecidedKobo,
  }: Float) => {
    const evidence = {
      provider,
      found: "float_differs",
      since: since?.toISOString() ?? null,
      at: at.toISOString(),
      balance: koboToNaira(balanceKobo),
      spent_by_our_books: koboToNaira(spentKobo ?? ZERO_KOBO),
      unexplained: koboToNaira(unexplainedKobo ?? ZERO_KOBO),
      undecided_at_most: koboToNaira(undecidedKobo),
    };
    const finding = `${provider} float at ${at.toISOString()}`;
    const id = await openCase(db, { kind: "reconciliation", finding, evidence, at });
    if (id)
      log.error(
        {
          case: encodeId("cas", id),
          provider,
          unexplained: evidence.unexplained,
          undecided_at_most: evidence.undecided_at_most,
        },
        "a vendor took more than we bought: see ./afara cases list",
      );
  };

  return async () => {
    for (const provider of providers) {
      if (!(await claimLook(db, provider.name, clock.now(), everyMs))) continue;
      await look(provider, (await readFloats(db)).get(provider.name));
    }
  };
}
