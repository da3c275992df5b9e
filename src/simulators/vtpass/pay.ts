import { naira } from "../vendors/field.ts";
import { isRecord } from "../vendors/json.ts";
import type { FirstAnswer } from "../vendors/scenarios.ts";
import type { Vend } from "../vendors/store.repo.ts";
import { HUNG_UP, htmlPage, json, NO_ANSWER, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { Chosen, VendorWorld } from "../vendors/world.ts";
import { showVend } from "./answers.ts";
import { changeVariation, type Service, serviceOf } from "./catalogue.ts";
import { type Code, failure } from "./codes.ts";
import { costKobo } from "./details.ts";
import { digitsIn, type Wanted } from "./products/product.ts";
import { productOf } from "./products.ts";
import { faultOfRequestId } from "./request-id.ts";
import { floatKobo, numberSetting } from "./settings.ts";

/** What was asked for, of which service and under which request_id. */
interface Purchase extends Wanted {
  readonly service: Service;
  readonly reference: string;
}

/** POST pay: checked as the vendor checks it, then what the scenario makes of it. */
export function pay({ body }: VendorRequest, world: VendorWorld): VendorAnswer {
  if (!isRecord(body)) return failure("011");
  const idFault = faultOfRequestId(body.request_id, world.now, numberSetting(world, "requestIdToleranceMs"));
  if (idFault) return failure(idFault);
  const reference = String(body.request_id);
  if (world.recall(`used:${reference}`) !== undefined) return failure("014");
  const read = readPurchase(body, reference, world);
  if (typeof read === "string") return failure(read);
  const chosen = world.choose("vend", productOf(read.service).product, read.recipient);
  const refused = refusalOf(read, chosen, world);
  if (refused) return refused;
  return sellTo(read, chosen, world);
}

function readPurchase(body: Readonly<Record<string, unknown>>, reference: string, world: VendorWorld): Purchase | Code {
  const service = serviceOf(body.serviceID);
  if (!service) return "012";
  if ((world.setting("servicesOff") as readonly string[]).includes(service.id)) return "028";
  const wanted = productOf(service).read({ service, body, phone: digitsIn(body.phone), world });
  return typeof wanted === "string" ? wanted : { ...wanted, service, reference };
}

/** What the vendor refuses before it takes anything: by the scenario, else by its own rules. */
function refusalOf(purchase: Purchase, chosen: Chosen, world: VendorWorld): VendorAnswer | undefined {
  const { service, recipient, amountKobo, variation } = purchase;
  const word = REFUSALS[chosen.scenario.first];
  if (word) {
    const gone = chosen.scenario.first === "plan_gone" ? "gone" : "raised";
    if (word[0] === "010" && variation !== null) changeVariation(world, service, variation, gone);
    return chosen.scenario.first === "credentials_refused"
      ? { ...failure(word[0]), status: 401 }
      : failure(word[0], word[1]);
  }
  const limits = productOf(service).limits?.(purchase, chosen, world, service) ?? service;
  if (typeof limits === "string") return failure(limits);
  if (amountKobo < limits.minimumKobo) return failure("013");
  if (amountKobo > limits.maximumKobo) return failure("017");
  if (amountKobo > floatKobo(world)) return failure("018");
  const twin = world
    .recent(recipient, numberSetting(world, "duplicateWindowMs"))
    .some((vend) => vend.details.serviceId === service.id && world.stateOf(vend) !== "failed");
  return twin ? failure("019") : undefined;
}

/** Scenarios that end before the vendor takes anything: its code, and a text where the code says too little. */
const REFUSALS: Partial<Record<FirstAnswer, readonly [code: Code, text?: string]>> = {
  duplicate: ["019"],
  reference_expired: ["086"],
  float_low: ["018"],
  plan_gone: ["010"],
  price_raised: ["010"],
  meter_unknown: ["012"],
  below_minimum: ["013"],
  biller_down: ["030"],
  credentials_refused: ["087"],
  product_down: ["034"],
  number_invalid: ["016", "TRANSACTION FAILED: INVALID PHONE NUMBER"],
  wrong_network: ["016", "TRANSACTION FAILED: PHONE NUMBER IS NOT ON THIS NETWORK"],
};

function sellTo(purchase: Purchase, chosen: Chosen, world: VendorWorld): VendorAnswer {
  const vend = takeVend(purchase, chosen, world);
  if (!vend) return chosen.scenario.first === "reset" ? HUNG_UP : NO_ANSWER;
  const show = (spelling: "usual" | "odd" = "usual") =>
    json(showVend(world, vend, world.stateOf(vend), "pay", spelling));
  switch (chosen.scenario.first) {
    case "hang":
      return NO_ANSWER;
    case "reset":
      return HUNG_UP;
    case "http_500":
      return json({ message: "Server Error" }, 500);
    case "http_503":
      return htmlPage(503);
    case "html":
      return htmlPage(200);
    case "empty":
      return { status: 200, body: "" };
    case "unlisted_code":
      return json({ code: "077", response_description: "UNEXPECTED RESPONSE" });
    case "reference_used":
      return failure("014");
    case "slow_drip":
      return { ...show(), wire: "slow_drip" };
    case "half_json":
      return { ...show(), wire: "truncated" };
    case "wrong_length":
      return { ...show(), wire: "wrong_length" };
    case "odd_numbers":
      return show("odd");
    default:
      return show();
  }
}

/** Into the books: the vend, its tokens, the float, the calls back. Undefined when the scenario has it lost on the way. */
function takeVend(purchase: Purchase, chosen: Chosen, world: VendorWorld): Vend | undefined {
  const { service, reference, recipient, amountKobo, phone, variation } = purchase;
  const sold = productOf(service);
  const vend = world.take(chosen, {
    reference,
    recipient,
    product: sold.product,
    amountKobo,
    ...(variation === null ? {} : { plan: variation }),
    details: {
      serviceId: service.id,
      phone,
      variation,
      commissionKobo: String((amountKobo * service.commissionBasisPoints) / 10_000n),
      transactionId: `${world.now}${String(Number(world.recall("transactions") ?? 0) + 1).padStart(13, "0")}`,
      otherWords: chosen.scenario.first === "other_words",
      ...sold.notes?.(purchase, chosen, world, service),
    },
  });
  if (!vend) return undefined;
  world.keep("transactions", Number(world.recall("transactions") ?? 0) + 1);
  world.keep(`used:${reference}`, true);
  sold.give?.(vend, chosen, world);
  const times = chosen.scenario.twice ? 2n : 1n;
  // What fails or is reversed comes back at once here, in a vend's last state.
  const last = vend.stages.at(-1)?.state;
  if (last !== "failed" && last !== "reversed")
    world.set("balanceKobo", String(floatKobo(world) - costKobo(vend) * times));
  for (const { at, state } of world.callbacksOf(vend))
    world.callBack(at, { type: "transaction-update", data: showVend(world, vend, state, "requery") });
  return vend;
}

/** POST requery: what became of a request_id, whenever it was. */
export function requery({ body }: VendorRequest, world: VendorWorld): VendorAnswer {
  if (!isRecord(body) || typeof body.request_id !== "string") return failure("011");
  const vend = world.recallVend(body.request_id);
  if (!vend) return failure("015");
  if (world.requeryFails(vend)) return json({ message: "Server Error" }, 500);
  return json(showVend(world, vend, world.stateOf(vend), "requery"));
}

/** GET balance: with the noise of a float. */
export const answerBalance = (world: VendorWorld): VendorAnswer =>
  json({ code: 1, contents: { balance: Number(naira(floatKobo(world))) + 2e-10 } });
