import { randomBytes } from "node:crypto";
import { isRecord } from "../vendors/json.ts";
import { json, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { type ErrorCode, failure } from "./errors.ts";

/** POST /oauth/token, by client credentials. */
export function giveToken({ body, path }: VendorRequest, world: VendorWorld): VendorAnswer {
  if (body === undefined) return failure(world, path, "JSON_SYNTAX_ERROR");
  if (!isRecord(body) || body.grant_type !== "client_credentials")
    return failure(world, path, "INVALID_INPUT_PROVIDED");
  const isKnown = body.client_id === world.setting("clientId") && body.client_secret === world.setting("clientSecret");
  const audiences = world.setting("audiences") as readonly unknown[];
  if (!isKnown || !audiences.includes(body.audience)) return failure(world, path, "INVALID_CREDENTIALS");
  const token = `simulated.${randomBytes(24).toString("base64url")}`;
  const seconds = Number(world.setting("tokenSeconds"));
  world.keep(`token:${token}`, world.now + seconds * 1_000);
  return json({
    access_token: token,
    scope: "send-topups read-operators read-promotions read-topups-history read-prepaid-balance",
    expires_in: seconds,
    token_type: "Bearer",
  });
}

/** What is wrong with the caller's token; undefined: nothing. */
export function faultOfToken({ headers }: VendorRequest, world: VendorWorld): ErrorCode | undefined {
  const token = /^Bearer (\S+)$/.exec(String(headers.authorization ?? ""))?.[1];
  const until = token === undefined ? undefined : world.recall(`token:${token}`);
  if (typeof until !== "number") return "INVALID_TOKEN";
  return until > world.now ? undefined : "TOKEN_EXPIRED";
}
