import { named, oneOf } from "../http/schemas.ts";

/** Whether a biller's products (a disco's electricity) can be bought right now, by what `statuses` of the sellers says. */
export const BillerStatus = named("BillerStatus", oneOf(["available", "unavailable"]));
