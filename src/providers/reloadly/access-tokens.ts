import { statusAndCode } from "../../kernel/logged-code.ts";
import type { ProviderDeps } from "../../ports/provider.ts";
import { strayAnswer } from "../access-probe.ts";
import { httpCall } from "../http-call.ts";
import { fieldsOf, goodFields, readAnswer, textOf } from "./answer.ts";
import { type Fetched, Renewable } from "./renewable.ts";
import type { ReloadlySettings } from "./settings.ts";

/** Why there is no token. Refused: the credentials are wrong, which only the operator can mend. */
export interface NoToken {
  readonly detail: string;
  readonly refused: boolean;
}

export type AccessTokens = Renewable<string, NoToken>;

/** Wrong credentials stay wrong for a while, and asking too often gets an account locked. */
const AGAIN_AFTER_MS = { refused: 30_000, away: 1_000 };

/** Access tokens of one account, audience and environment, by OAuth client credentials. What they are good for is obeyed. */
export const makeAccessTokens = (settings: ReloadlySettings, deps: ProviderDeps): AccessTokens =>
  new Renewable(() => fetchToken(settings, deps), deps.clock);

async function fetchToken(settings: ReloadlySettings, deps: ProviderDeps): Promise<Fetched<string, NoToken>> {
  const { authUrl, audience, clientId, clientSecret, responseTimeoutMs } = settings;
  const outcome = await httpCall(deps.fetch, {
    method: "POST",
    url: `${authUrl}/oauth/token`,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: "client_credentials",
      audience,
    }),
    timeoutMs: responseTimeoutMs,
  });
  if (outcome.kind !== "answered") return none(outcome.detail, false);
  const answer = readAnswer(outcome.status, outcome.text);
  const { access_token: accessToken, expires_in: expiresIn } = fieldsOf(goodFields(answer));
  const token = textOf(accessToken);
  const seconds = Number(expiresIn);
  if (token !== undefined && /^[\x21-\x7e]+$/.test(token) && seconds > 0)
    return { ok: true, value: token, goodForMs: seconds * 1_000 };
  const stray = strayAnswer(outcome);
  if (stray && stray.kind !== "reached") return none(stray.detail, stray.kind === "refused");
  const refused = answer.status === 401 || answer.status === 403;
  return none(`${statusAndCode(answer.status, answer.errorCode)}, without a token`, refused);
}

const none = (detail: string, refused: boolean): Fetched<string, NoToken> => ({
  ok: false,
  failure: { detail, refused },
  againAfterMs: refused ? AGAIN_AFTER_MS.refused : AGAIN_AFTER_MS.away,
});
