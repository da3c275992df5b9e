import type { Log } from "../kernel/log.ts";

/**
 * Whether a vendor that keeps no connection takes our keys: asked for at the start and every minute, so that wrong ones close the
 * route, and are told to the operator, before a customer meets them.
 */
export interface AccessProbe {
  /** Why the vendor does not let us in, in words for the operator; undefined while nothing says so. */
  readonly refusal: string | undefined;
  /** `changed`: it lets us in no more, or again. */
  start(changed: () => void): void;
  stop(): Promise<void>;
}

/** A question that moves nothing. Undefined: there was no answer, which says nothing of our keys. */
export type AskAccess = () => Promise<{ readonly refusal: string | undefined } | undefined>;

const EVERY_MS = 60_000;
/** How long an answer is waited for: a node that is to stop waits for it too. */
export const PROBE_MS = 10_000;

export function makeAccessProbe(provider: string, ask: AskAccess, log: Log, everyMs = EVERY_MS): AccessProbe {
  let refusal: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void> | undefined;

  const look = async (changed: () => void) => {
    const said = await ask();
    if (said === undefined || said.refusal === refusal) return;
    refusal = said.refusal;
    if (refusal === undefined) log.info({ provider }, "the vendor takes our keys again");
    else log.error({ provider, detail: refusal }, "the vendor does not let us in");
    changed();
  };

  return {
    get refusal() {
      return refusal;
    },
    start(changed) {
      const lookOnce = () => {
        asking ??= look(changed).finally(() => (asking = undefined));
      };
      lookOnce();
      timer = setInterval(lookOnce, everyMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await asking;
    },
  };
}
