import { orderIn } from "../../providers/whatsapp-cloud/wire/reference.ts";
import { isRecord } from "../vendors/json.ts";
import type { FirstAnswer } from "../vendors/scenarios.ts";
import { HUNG_UP, htmlPage, NO_ANSWER, type VendorAnswer } from "../vendors/vendor.ts";
import type { Chosen, VendorWorld } from "../vendors/world.ts";
import { failure } from "./errors.ts";
import { type MagicPhone, magicPhone, type Word } from "./magic.ts";
import { numberSetting } from "./settings.ts";

/** A status that is to come. */
export interface Stage {
  readonly at: number;
  readonly status: Word | "failed";
  /** Of `failed`. */
  readonly code?: number;
}

/** What becomes of a message that is all right. */
export interface Fate {
  /** Instead of the usual answer. */
  readonly answer?: VendorAnswer | ((usual: VendorAnswer) => VendorAnswer);
  /** False: the network never has it. */
  readonly isTaken: boolean;
  /** The statuses in the order of coming. Undefined: the usual ones. */
  readonly stages?: readonly Stage[];
  readonly callbacks?: Chosen["scenario"]["callbacks"];
}

const ORDINARY: Fate = { isTaken: true };
const APART_MS = 100;

/**
 * Steered errors first, then a queued scenario, then the phone's own. `reference`: what the sender gave along; `isFree`: it is no
 * template.
 */
export function fateOf(world: VendorWorld, msisdn: string, reference: string | undefined, isFree: boolean): Fate {
  const error = takeError(world, msisdn);
  if (error)
    return error.how === "sync"
      ? { isTaken: false, answer: failure(error.code) }
      : {
          isTaken: true,
          stages: [{ at: world.now + numberSetting(world, "sentMs"), status: "failed", code: error.code }],
        };
  const queued = world.queued("vend", msisdn);
  return queued ? ofScenario(world, queued) : ofPhone(world, msisdn, magicPhone(msisdn), reference, isFree);
}

const taken =
  (wire: VendorAnswer["wire"]) =>
  (usual: VendorAnswer): VendorAnswer => ({ ...usual, ...(wire && { wire }) });

/** First answers of the matrix in Meta's words; those that are not here are the usual one. */
const FIRST: Readonly<Partial<Record<FirstAnswer, Fate["answer"]>>> = {
  hang: NO_ANSWER,
  reset: HUNG_UP,
  http_500: failure(131000),
  http_503: htmlPage(503),
  html: htmlPage(200),
  empty: { status: 200, body: "" },
  unlisted_code: failure(199_999),
  slow_drip: taken("slow_drip"),
  half_json: taken("truncated"),
  wrong_length: taken("wrong_length"),
  credentials_refused: failure(190),
  float_low: failure(131042),
  product_down: failure(131016),
  number_invalid: failure(131026),
};

/** The rows of the vends' matrix: what is pending is `sent`, what is delivered is read too, what fails has 131000. */
function ofScenario(world: VendorWorld, { scenario, afterMs }: Chosen): Fate {
  const { first, stages, callbacks } = scenario;
  const answer = FIRST[first];
  const [last] = stages.slice(-1);
  const at = world.now + (last?.[1] ?? 0) * afterMs + APART_MS;
  const words: readonly Stage[] = [
    { at: world.now + numberSetting(world, "sentMs"), status: "sent" },
    ...(last?.[0] === "delivered"
      ? ([
          { at, status: "delivered" },
          { at: at + APART_MS, status: "read" },
        ] as const)
      : []),
    ...(last?.[0] === "failed" ? ([{ at, status: "failed", code: 131000 }] as const) : []),
  ];
  return {
    isTaken: last !== undefined,
    stages: words,
    ...(answer && { answer }),
    ...(callbacks && { callbacks }),
  };
}

function ofPhone(
  world: VendorWorld,
  msisdn: string,
  { notTaken, statuses, isFreeOnly }: MagicPhone,
  reference: string | undefined,
  isFree: boolean,
): Fate {
  if (notTaken && isNotTaken(world, notTaken.which, orderIn(reference ?? "") ?? msisdn))
    return { isTaken: false, answer: notTaken.code === null ? NO_ANSWER : failure(notTaken.code) };
  if (!statuses || (isFreeOnly && !isFree)) return ORDINARY;
  const sentMs = numberSetting(world, "sentMs");
  const stages = statuses.map((one, index): Stage => {
    const at = world.now + sentMs + index * APART_MS;
    return typeof one === "string" ? { at, status: one } : { at, status: "failed", code: one[1] };
  });
  return { isTaken: true, stages };
}

type Which = NonNullable<MagicPhone["notTaken"]>["which"];

/** Counts the tries of an order, or of a phone when the sender names no order. */
function isNotTaken(world: VendorWorld, which: Which, order: string): boolean {
  if (which === "all") return true;
  const tries = Number(world.recall(`tries:${order}`) ?? 0) + 1;
  world.keep(`tries:${order}`, tries);
  return tries <= (which === "first" ? 1 : 3);
}

export interface SteeredError {
  readonly code: number;
  readonly how: "sync" | "async";
  readonly recipient: string | null;
  readonly times: number;
}

const errorsOf = (world: VendorWorld): readonly SteeredError[] => {
  const all = world.recall("errors");
  return Array.isArray(all) && all.every(isRecord) ? (all as unknown as readonly SteeredError[]) : [];
};

export const queueError = (world: VendorWorld, error: SteeredError): void =>
  world.keep("errors", [...errorsOf(world), error]);

/** The oldest that fits, counted down. */
function takeError(world: VendorWorld, msisdn: string): SteeredError | undefined {
  const all = errorsOf(world);
  const found = all.find(({ recipient }) => recipient === null || recipient === msisdn);
  if (!found) return undefined;
  const left = { ...found, times: found.times - 1 };
  world.keep(
    "errors",
    all.flatMap((one) => (one !== found ? [one] : left.times > 0 ? [left] : [])),
  );
  return found;
}
