import { isRecord } from "../vendors/json.ts";
import type { Product } from "../vendors/products.ts";
import type { FirstAnswer } from "../vendors/scenarios.ts";
import type { Vend } from "../vendors/store.repo.ts";
import { HUNG_UP, htmlPage, json, NO_ANSWER, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { Chosen, VendorWorld } from "../vendors/world.ts";
import { type ErrorCode, failure, steeredFailure } from "./errors.ts";
import { amountOf, changeAmount, isRange, nationalIn, type Operator, operatorOf, sells } from "./operators.ts";
import { floatKobo } from "./settings.ts";
import { newUnnamed, nextTransactionId, showTransaction } from "./transactions.ts";
import { tellWebhook } from "./webhook.ts";

/** What was asked for, read and checked. */
interface TopUp {
  readonly operator: Operator;
  readonly reference: string;
  /** With 234. */
  readonly recipient: string;
  /** As the caller wrote it. */
  readonly phone: string;
  readonly amountKobo: bigint;
}

/** POST /topups and /topups-async: checked as the vendor checks it, then what the scenario makes of it. */
export function topUp(request: VendorRequest, world: VendorWorld): VendorAnswer {
  const { path } = request;
  const steered = world.setting("errorCode");
  if (typeof steered === "string") return steeredFailure(world, path, steered);
  const read = readTopUp(request, world);
  if (typeof read === "string") return failure(world, path, read);
  const chosen = world.choose("vend", productOf(read.operator), read.recipient);
  const refused = refusalOf(read, chosen, world);
  return refused ? failure(world, path, refused) : sell(read, chosen, request, world);
}

const productOf = ({ kind }: Operator): Product => (kind === "data" ? "data" : "airtime");

function readTopUp({ body }: VendorRequest, world: VendorWorld): TopUp | ErrorCode {
  if (body === undefined) return "JSON_SYNTAX_ERROR";
  if (!isRecord(body) || !isRecord(body.recipientPhone)) return "INVALID_INPUT_PROVIDED";
  const { countryCode, number } = body.recipientPhone;
  const operator = operatorOf(world, body.operatorId);
  if (!operator) return "OPERATOR_NOT_FOUND";
  const national = nationalIn(String(number));
  if (countryCode !== "NG" || national === undefined) return "INVALID_RECIPIENT_PHONE";
  const amountKobo = amountOf(body.amount);
  if (amountKobo === undefined) return "INVALID_INPUT_PROVIDED";
  const reference = body.customIdentifier ?? newUnnamed();
  if (typeof reference !== "string" || reference === "" || reference.length > 150) return "INVALID_INPUT_PROVIDED";
  // The answer does not carry the first result.
  if (world.find(reference)) return "CUSTOM_IDENTIFIER_ALREADY_USED";
  return { operator, reference, recipient: `234${national}`, phone: String(number), amountKobo };
}

/** Scenarios that end before the vendor takes anything. */
const REFUSALS: Partial<Record<FirstAnswer, ErrorCode>> = {
  duplicate: "PHONE_RECENTLY_RECHARGED",
  reference_expired: "INVALID_INPUT_PROVIDED",
  float_low: "INSUFFICIENT_BALANCE",
  plan_gone: "INVALID_AMOUNT_FOR_OPERATOR",
  price_raised: "INVALID_AMOUNT_FOR_OPERATOR",
  meter_unknown: "INVALID_RECIPIENT_PHONE",
  below_minimum: "INVALID_AMOUNT_FOR_OPERATOR",
  biller_down: "OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE",
  credentials_refused: "TOKEN_EXPIRED",
  product_down: "OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE",
  number_invalid: "INVALID_RECIPIENT_PHONE",
  wrong_network: "COULD_NOT_AUTO_DETECT_OPERATOR",
};

/** What the vendor refuses before it takes anything: by the scenario, else by its own rules. */
function refusalOf(wanted: TopUp, { scenario }: Chosen, world: VendorWorld): ErrorCode | undefined {
  const { operator, recipient, amountKobo } = wanted;
  const word = REFUSALS[scenario.first];
  if (word) {
    const change = scenario.first === "plan_gone" ? "gone" : scenario.first === "price_raised" ? "raised" : undefined;
    if (change && !isRange(operator.amounts)) changeAmount(world, operator, amountKobo, change);
    return word;
  }
  if ((world.setting("operatorsOff") as readonly number[]).includes(operator.id))
    return "OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE";
  if (!sells(operator, amountKobo)) return "INVALID_AMOUNT_FOR_OPERATOR";
  if (amountKobo > floatKobo(world)) return "INSUFFICIENT_BALANCE";
  const windowMs = Number(world.setting("rechargeWindowMs"));
  const isRecent = windowMs > 0 && world.recent(recipient, windowMs).some((vend) => world.stateOf(vend) !== "failed");
  return isRecent ? "PHONE_RECENTLY_RECHARGED" : undefined;
}

function sell(wanted: TopUp, chosen: Chosen, { path }: VendorRequest, world: VendorWorld): VendorAnswer {
  const vend = take(wanted, chosen, world);
  if (!vend) return chosen.scenario.first === "reset" ? HUNG_UP : NO_ANSWER;
  // The asynchronous call tells no more than its number.
  const { transactionId } = showTransaction(world, vend);
  const answer = json(path.endsWith("-async") ? { transactionId } : showTransaction(world, vend));
  switch (chosen.scenario.first) {
    case "hang":
      return NO_ANSWER;
    case "reset":
      return HUNG_UP;
    case "http_500":
      return failure(world, path, "PROVIDER_INTERNAL_ERROR");
    case "http_503":
      return htmlPage(503);
    case "html":
      return htmlPage(200);
    case "empty":
      return { status: 200, body: "" };
    case "unlisted_code":
      return failure(world, path, "UNEXPECTED_CONDITION");
    case "reference_used":
      return failure(world, path, "CUSTOM_IDENTIFIER_ALREADY_USED");
    case "slow_drip":
      return { ...answer, wire: "slow_drip" };
    case "half_json":
      return { ...answer, wire: "truncated" };
    case "wrong_length":
      return { ...answer, wire: "wrong_length" };
    default:
      return answer;
  }
}

/** What the reseller keeps, in 1/100 of a percent. */
const DISCOUNT_BASIS_POINTS = 300n;

/** Into the books: the vend, the float, the webhook. Undefined when the scenario has it lost on the way. */
function take(wanted: TopUp, chosen: Chosen, world: VendorWorld): Vend | undefined {
  const { operator, reference, recipient, phone, amountKobo } = wanted;
  const product = productOf(operator);
  const costKobo = amountKobo - (amountKobo * DISCOUNT_BASIS_POINTS) / 10_000n;
  if (chosen.scenario.stages.length === 0) return undefined;
  const details = {
    operatorId: operator.id,
    operatorName: operator.name,
    phone,
    costKobo: String(costKobo),
    balanceBeforeKobo: String(floatKobo(world)),
    odd: chosen.scenario.first === "odd_numbers",
    short: chosen.scenario.first === "amount_short",
  };
  world.take(chosen, {
    reference,
    recipient,
    product,
    amountKobo,
    ...(product === "data" ? { plan: `${operator.id}:${amountKobo}` } : {}),
  });
  // A top-up that is given twice is two transactions with one identifier.
  const [vend, ...more] = world
    .findAll(reference)
    .map((row) => world.setDetails(row, { ...details, transactionId: nextTransactionId(world, reference) }));
  if (!vend) return undefined;
  // What fails or is refunded comes back at once here, in a vend's last state.
  const last = vend.stages.at(-1)?.state;
  if (last !== "failed" && last !== "reversed")
    world.set("balanceKobo", String(floatKobo(world) - costKobo * BigInt(1 + more.length)));
  tellWebhook(world, vend);
  return vend;
}
