import type { Trigger, Triggers } from "../ports/trigger.ts";

const ORDINARY = "+2348031234567";
const UNKNOWN_NUMBER = "+2348000000001";
const REVERSED_LATER = "+2348000000011";
const NO_TOKEN = { never: "Airtime and data have no token that could be late: see electricity.token_pending." };

const topUp =
  (to: string): Trigger =>
  ({ post }) =>
    post("/airtime/topup", { to, amount: 100, allow_duplicate: true });

const buyData =
  (to: string): Trigger =>
  async ({ get, post }) => {
    const { data } = await get<{ data: readonly { plan_id: string }[] }>("/airtime/data/plans?network=mtn");
    return post("/airtime/data", { to, plan_id: data[0]?.plan_id, allow_duplicate: true });
  };

export const AIRTIME_TRIGGERS: Triggers = {
  "airtime.successful": topUp(ORDINARY),
  "airtime.failed": topUp(UNKNOWN_NUMBER),
  "airtime.reversed": topUp(REVERSED_LATER),
  "airtime.token_pending": NO_TOKEN,
  "data.successful": buyData(ORDINARY),
  "data.failed": buyData(UNKNOWN_NUMBER),
  "data.reversed": buyData(REVERSED_LATER),
  "data.token_pending": NO_TOKEN,
};
