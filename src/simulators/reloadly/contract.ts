import { type Contract, failed, SUCCESSFUL } from "../vendors/contract.ts";
import { SETTINGS } from "./settings.ts";

export const CONTRACT: Contract = {
  settings: {
    clientId: SETTINGS.clientId,
    clientSecret: SETTINGS.clientSecret,
    webhookSecret: SETTINGS.webhookSecret,
    firstStatusMs: 100,
    rechargeWaitMs: 200,
    busyWaitMs: 200,
  },
  products: ["airtime", "data"],
  planCodes: { data: "345:500.00" },
  vendPath: /\/topups(-async)?$/,
  ends: {
    "below_minimum data": failed("plan_not_found"),
    // Its access tokens run out: another is fetched and the same call made again.
    credentials_refused: SUCCESSFUL,
    reference_expired: failed("route_misconfigured"),
  },
};
