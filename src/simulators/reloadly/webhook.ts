import {
  SIGNATURE_HEADER,
  SIGNED_FORMS,
  signatureOf,
  TIMESTAMP_HEADER,
} from "../../providers/reloadly/wire/signature.ts";
import { scenarioOf } from "../vendors/scenarios.ts";
import type { Vend } from "../vendors/store.repo.ts";
import type { CallbackPlan, VendorWorld } from "../vendors/world.ts";
import { detailsOf, statusOf } from "./transactions.ts";

/** Tells the caller's webhook what becomes of a top-up, signed with the secret of the dashboard. */
export function tellWebhook(world: VendorWorld, vend: Vend): void {
  const { callbacks } = scenarioOf(vend.scenario);
  const [first] = vend.stages;
  // An asynchronous top-up was answered without its state: what is final at once is told too.
  const atOnce: CallbackPlan[] = first && first.state !== "pending" && callbacks !== "missing" ? [first] : [];
  const plans = [...atOnce, ...world.callbacksOf(vend)];
  for (const [index, { at, state }] of plans.entries()) {
    const isForged = callbacks === "forged" && index === atOnce.length;
    const body = {
      type: "airtime_transaction.status",
      data: {
        transactionId: detailsOf(vend).transactionId,
        customIdentifier: vend.reference,
        status: statusOf(world, state),
      },
    };
    const secret = isForged ? "not the secret" : String(world.setting("webhookSecret"));
    const form = SIGNED_FORMS.find((name) => name === world.setting("webhookSignature")) ?? SIGNED_FORMS[0];
    world.callBack(at, body, {
      [TIMESTAMP_HEADER]: String(at),
      [SIGNATURE_HEADER]: signatureOf(secret, JSON.stringify(body), String(at), form),
    });
  }
}
