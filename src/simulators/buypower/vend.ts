import { issueTokens, meterIn, minimumOf, sell } from "../vendors/electricity.ts";
import { naira } from "../vendors/field.ts";
import { isRecord } from "../vendors/json.ts";
import type { Meter } from "../vendors/magic.ts";
import type { FirstAnswer, VendState } from "../vendors/scenarios.ts";
import type { Vend } from "../vendors/store.repo.ts";
import { HUNG_UP, htmlPage, json, NO_ANSWER, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { Chosen, VendorWorld } from "../vendors/world.ts";
import * as say from "./answers.ts";
import { isDisco } from "./discos.ts";
import { floatKobo, isDown } from "./settings.ts";

/** What was asked for, read and checked. */
interface Purchase {
  readonly orderId: string;
  readonly meter: Meter;
  readonly disco: string;
  readonly vendType: "PREPAID" | "POSTPAID";
  readonly phone: string;
  readonly amountKobo: bigint;
}

/** POST /vend: checked as the vendor checks it, then what the scenario makes of it. */
export function vend({ body, query }: VendorRequest, world: VendorWorld): VendorAnswer {
  if (!isRecord(body) || typeof body.orderId !== "string" || !/^[\w-]{1,64}$/.test(body.orderId))
    return say.failure(400, 201, 'Invalid Order ID. "orderId" is required');
  if (world.recall(`used:${body.orderId}`) !== undefined) return say.alreadyReceived();
  const read = readPurchase(body, body.orderId, world);
  if ("status" in read) return read;
  const chosen = world.choose("vend", "electricity", read.meter.number);
  const purchase = { ...read, meter: meterIn(read.meter, chosen) };
  const answer = refusalOf(purchase, chosen, world) ?? sellTo(purchase, chosen, world);
  // By default the vendor waits for the end, which here comes after the caller has gone.
  return answer.status === 202 && query.get("strict") !== "0" ? NO_ANSWER : answer;
}

const invalid = (message: string): VendorAnswer => say.failure(400, 400, message);

function readPurchase(
  body: Readonly<Record<string, unknown>>,
  orderId: string,
  world: VendorWorld,
): Purchase | VendorAnswer {
  const { disco, vendType, phone, paymentType } = body;
  if (!isDisco(disco)) return invalid('Invalid disco. "disco" is required');
  if (vendType !== "PREPAID" && vendType !== "POSTPAID") return invalid('"vendType" must be PREPAID or POSTPAID');
  if (typeof phone !== "string" || !/^0\d{10}$/.test(phone)) return invalid('"phone" is required');
  if (paymentType !== "B2B") return invalid('"paymentType" must be B2B');
  const meter = world.field.meter(String(body.meter));
  if (!meter || meter.type.toUpperCase() !== vendType) return invalid("Invalid meter number");
  const amountKobo = amountOf(body.amount);
  if (amountKobo === undefined) return invalid('"amount" must be a number');
  return { orderId, meter, disco, vendType, phone, amountKobo };
}

function amountOf(amount: unknown): bigint | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(String(amount));
  return match ? BigInt(match[1]!) * 100n + BigInt((match[2] ?? "").padEnd(2, "0")) : undefined;
}

/** What the vendor refuses before it takes anything: by the scenario, else by its own rules. */
function refusalOf(purchase: Purchase, chosen: Chosen, world: VendorWorld): VendorAnswer | undefined {
  const { meter, disco, amountKobo } = purchase;
  const refused = REFUSALS[chosen.scenario.first]?.();
  if (refused) return refused;
  if (isDown(world, disco)) return say.unavailable();
  const minimumKobo = minimumOf(meter);
  if (amountKobo < minimumKobo) return invalid(`Minimum amount is ${naira(minimumKobo)}`);
  if (amountKobo > meter.maximumKobo) return invalid(`Maximum amount is ${naira(meter.maximumKobo)}`);
  return amountKobo > floatKobo(world) ? INSUFFICIENT() : undefined;
}

const INSUFFICIENT = (): VendorAnswer => say.failure(422, 202, "insufficient wallet balance.");

/** Scenarios that end before the vendor takes anything; what it has no words for is a fault of the request. */
const REFUSALS: Partial<Record<FirstAnswer, () => VendorAnswer>> = {
  duplicate: say.alreadyReceived,
  reference_expired: () => say.failure(400, 201, 'Invalid Order ID. "orderId" is not valid'),
  float_low: INSUFFICIENT,
  plan_gone: () => invalid("Validation failed"),
  price_raised: () => invalid("Validation failed"),
  meter_unknown: () => invalid("Invalid meter number"),
  below_minimum: () => invalid("Amount is below the minimum"),
  biller_down: say.unavailable,
  credentials_refused: () => say.failure(401, 401, "Unauthorized"),
  product_down: say.migrated,
  number_invalid: () => invalid("Validation failed"),
  wrong_network: () => invalid("Validation failed"),
};

function sellTo(purchase: Purchase, chosen: Chosen, world: VendorWorld): VendorAnswer {
  const taken = take(purchase, chosen, world);
  if (!taken) return chosen.scenario.first === "reset" ? HUNG_UP : NO_ANSWER;
  const usual = show(world, taken, "vend");
  switch (chosen.scenario.first) {
    case "hang":
      return NO_ANSWER;
    case "reset":
      return HUNG_UP;
    case "http_500":
      return say.unexpected();
    case "http_503":
      return say.unavailable();
    case "html":
      return htmlPage(200);
    case "empty":
      return { status: 200, body: "" };
    case "unlisted_code":
      return json({ status: false, message: "Unexpected", responseCode: 299 });
    case "reference_used":
      return say.alreadyReceived();
    case "slow_drip":
      return { ...usual, wire: "slow_drip" };
    case "half_json":
      return { ...usual, wire: "truncated" };
    case "wrong_length":
      return { ...usual, wire: "wrong_length" };
    case "odd_numbers":
      return show(world, taken, "odd");
    default:
      return usual;
  }
}

/** The vendor calls nobody back, and has no word for a reversal: a requery then says that it failed. */
const IS_DELIVERED: Readonly<Record<VendState, boolean>> = {
  pending: false,
  tokenless: true,
  delivered: true,
  failed: false,
  reversed: false,
};

function show(world: VendorWorld, taken: Vend, spelling: say.Spelling): VendorAnswer {
  const state = world.stateOf(taken);
  if (IS_DELIVERED[state]) {
    const body = say.delivered(say.receipt(world, taken, spelling));
    return json(spelling === "requery" ? { result: body } : body);
  }
  if (state !== "pending") return say.failed();
  return spelling === "requery"
    ? say.failure(400, 201, "Transaction is still processing. Kindly retry in 2 minutes.")
    : say.inProgress(world);
}

/** Into the books: the vend, its tokens, the float. Undefined when the scenario has it lost on the way. */
function take(purchase: Purchase, chosen: Chosen, world: VendorWorld): Vend | undefined {
  const { orderId, meter, disco, vendType, phone, amountKobo } = purchase;
  const taken = world.take(chosen, {
    reference: orderId,
    recipient: meter.number,
    product: "electricity",
    amountKobo,
    details: { disco, phone, vendType, arrearsKobo: String(meter.arrearsKobo) },
  });
  if (!taken) return undefined;
  world.keep(`used:${orderId}`, true);
  if (meter.type === "prepaid") issueTokens(world, taken, chosen, sell(meter, amountKobo));
  const times = chosen.scenario.twice ? 2n : 1n;
  // What fails or is reversed comes back at once here, in a vend's last state.
  const last = taken.stages.at(-1)?.state;
  if (last !== "failed" && last !== "reversed") world.set("balanceKobo", String(floatKobo(world) - amountKobo * times));
  return taken;
}

/** GET /transaction/{orderId}: what became of it. */
export function requery(orderId: string, world: VendorWorld): VendorAnswer {
  const taken = world.recallVend(orderId);
  if (!taken) return say.failure(404, 20, `No transaction found with reference: ${orderId}`);
  if (world.requeryFails(taken)) return say.unexpected();
  return show(world, taken, "requery");
}

/** GET /wallet/balance. */
export const answerBalance = (world: VendorWorld): VendorAnswer =>
  json({ status: true, responseCode: 200, balance: Number(naira(floatKobo(world))) });
