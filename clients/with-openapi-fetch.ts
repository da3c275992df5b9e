// A customer's program on the types that openapi-typescript makes of the document: npx openapi-typescript <gateway>/openapi.json -o api/paths.ts
import createClient from "openapi-fetch";
import type { components, paths } from "./api/paths.js";

type Problem = components["schemas"]["Problem"];

export async function shop(baseUrl: string, key: string) {
  const afara = createClient<paths>({ baseUrl, headers: { "X-API-Key": key } });

  const sent = await afara.POST("/sms/send", { body: { to: "08031234567", message: "Your code is 123456" } });
  if (!sent.data) throw new Error(sent.error.detail);
  const { data: status } = await afara.GET("/sms/status/{message_id}", {
    params: { path: { message_id: sent.data.id } },
  });
  const { data: list } = await afara.GET("/sms/messages", { params: { query: { limit: 5, to: sent.data.to } } });

  const { data: meter, error: noMeter } = await afara.POST("/electricity/verify", {
    body: { meter_number: "11111111111", disco: "ikedc" },
  });
  if (!meter) throw new Error(noMeter.code === "meter_not_found" ? "Read the number again." : noMeter.detail);
  const order = { meter_number: meter.meter_number, disco: meter.disco, amount: "5000", to: "08031234567" };
  const check = await afara.POST("/electricity/purchase", { body: { ...order, validate_only: true } });
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const bought = await afara.POST("/electricity/purchase", { body: order, params: { header: headers } });

  const { error } = await afara.POST("/airtime/topup", { body: { to: "08031234567", amount: 1, reference: "till-1" } });
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
  const faults: Problem["errors"] = error?.errors;

  const wallet = await afara.GET("/wallet");
  const statement = await afara.GET("/wallet/transactions", { params: { query: { kind: "charge", limit: 1 } } });
  return {
    status: status?.status,
    listed: list?.data.length,
    customer: meter.customer.name,
    checked: check.data?.object === "purchase_check" ? check.data.price.amount : undefined,
    token: bought.data?.object === "electricity" ? bought.data.tokens?.[0]?.value : undefined,
    bounds,
    fault: faults?.[0]?.code,
    available: wallet.data?.available.amount,
    charged: typeof statement.data === "object" ? statement.data.data[0]?.amount.amount : undefined,
  };
}
