import Type from "typebox";
import { NETWORKS, type Network } from "../../kernel/networks.ts";
import { ok, type Result } from "../../kernel/result.ts";
import {
  anyText,
  baseUrl,
  readShape,
  responseTimeoutMs,
  settings,
  wholeNumber,
  withoutSlash,
} from "../settings-schema.ts";
import { SIGNED_FORMS, type SignedForm } from "./wire/signature.ts";

const LIVE = "https://topups.reloadly.com";
const AUTH = "https://auth.reloadly.com";
/** The vendor's own hosts for top-ups: live and sandbox. */
const ITS_OWN = /^https:\/\/topups(?:-sandbox)?\.reloadly\.com$/;

const OPERATOR_ID = Type.Optional(Type.Integer({ minimum: 1 }));
const operatorIds = Object.fromEntries(NETWORKS.map((network) => [network, OPERATOR_ID])) as Record<
  Network,
  typeof OPERATOR_ID
>;

/** Everything an operator can set for one Reloadly account. Each is explained in docs/providers/reloadly.md. */
const SETTINGS = settings({
  baseUrl: baseUrl(LIVE),
  /** Where access tokens come from. */
  authUrl: baseUrl(),
  /** What access tokens are asked for: the live or the sandbox environment. */
  audience: Type.Optional(Type.String({ maxLength: 200, description: "a text, 200 characters at most" })),
  clientId: anyText("the API client id of the dashboard"),
  clientSecret: anyText("the API client secret of the same environment"),
  responseTimeoutMs: responseTimeoutMs(60_000),
  /** From the acceptance of a top-up to the first question about it. */
  firstStatusMs: wholeNumber(100, 600_000, 2_000),
  /** How long after a top-up of a phone the vendor takes the next. */
  rechargeWaitMs: wholeNumber(100, 3_600_000, 130_000),
  /** How long to wait when the vendor says “not at the moment”. */
  busyWaitMs: wholeNumber(100, 3_600_000, 30_000),
  /** The vendor's operator ids by network; a network that is not here is found in the vendor's list. */
  operators: Type.Optional(Type.Object(operatorIds, { additionalProperties: false, default: {} })),
  /** Empty: webhooks are not signed, as far as we can tell. */
  webhookSecret: Type.Optional(
    Type.String({ maxLength: 200, description: "a text, 200 characters at most", default: "" }),
  ),
  webhookSignature: Type.Optional(
    Type.Unsafe<SignedForm>(
      Type.Union(
        SIGNED_FORMS.map((form) => Type.Literal(form)),
        { default: SIGNED_FORMS[0] },
      ),
    ),
  ),
});

export type ReloadlySettings = Readonly<Required<Type.Static<typeof SETTINGS>>>;

export function readSettings(input: unknown): Result<ReloadlySettings, readonly string[]> {
  const read = readShape(SETTINGS, input);
  if (!read.ok) return read;
  const url = withoutSlash(read.value.baseUrl);
  const isItsOwn = ITS_OWN.test(url);
  // A simulator is one host for both.
  const others = { authUrl: isItsOwn ? AUTH : url, audience: isItsOwn ? url : LIVE };
  const { authUrl, ...all } = { ...others, ...read.value };
  return ok({ ...all, baseUrl: url, authUrl: withoutSlash(authUrl) });
}
