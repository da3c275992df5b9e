// The same with the functions that @hey-api/openapi-ts makes: npx @hey-api/openapi-ts -i <gateway>/openapi.json -o api/functions
import { client } from "./api/functions/client.gen.js";
import * as afara from "./api/functions/index.js";

export async function shop(baseUrl: string, key: string) {
  client.setConfig({ baseUrl, auth: key });

  const sent = await afara.sendSms({ body: { to: "08031234567", message: "Your code is 123456" } });
  if (!sent.data) throw new Error(sent.error.detail);
  const { data: status } = await afara.getSms({ path: { message_id: sent.data.id } });
  const { data: list } = await afara.listSms({ query: { limit: 5, to: sent.data.to } });

  const { data: meter, error: noMeter } = await afara.verifyMeter({
    body: { meter_number: "11111111111", disco: "ikedc" },
  });
  if (!meter) throw new Error(noMeter.code === "meter_not_found" ? "Read the number again." : noMeter.detail);
  const order = {
    meter_number: meter.meter_number,
    disco: meter.disco,
    amount: "5000",
    to: "08031234567",
    allow_duplicate: true,
  };
  const check = await afara.buyElectricity({ body: { ...order, validate_only: true } });
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const bought = await afara.buyElectricity({ body: order, headers });

  const { error } = await afara.topUpAirtime({ body: { to: "08031234567", amount: 1, reference: "till-1" } });
  let bounds: string | undefined;
  switch (error?.code) {
    case "amount_out_of_bounds":
      bounds = `${error.minimum_amount?.amount} to ${error.maximum_amount?.amount}`;
      break;
    case "purchase_failed":
      bounds = error.purchase.failure?.code;
      break;
    case "rate_limited":
      bounds = `again in ${error.retry_after_seconds} s`;
  }
  const fault: afara.Fault | undefined = error?.errors?.[0];

  const wallet = await afara.getWallet();
  const statement = await afara.listWalletTransactions({ query: { kind: "charge", limit: 1 } });
  return {
    status: status?.status,
    listed: list?.data.length,
    customer: meter.customer.name,
    checked: check.data?.object === "purchase_check" ? check.data.price.amount : undefined,
    token: bought.data?.object === "electricity" ? bought.data.tokens?.[0]?.value : undefined,
    bounds,
    fault: fault?.code,
    available: wallet.data?.available.amount,
    charged: typeof statement.data === "object" ? statement.data.data[0]?.amount.amount : undefined,
  };
}
