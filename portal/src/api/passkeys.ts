import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { ask } from "./client.ts";
import { Problem } from "./problem.ts";

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export type PasskeyQuestion = PublicKeyCredentialRequestOptionsJSON;

interface Offered<Options> {
  readonly options: Options;
}

const AT = "/auth/passkey";

/** Passkeys belong to a name: no browser uses one at an address. */
export const canUsePasskeys = (): boolean =>
  browserSupportsWebAuthn() && !/^[\d.]+$|^\[/.test(location.hostname) && window.isSecureContext;

export const listPasskeys = (): Promise<{ readonly data: readonly Passkey[] }> =>
  ask("GET", `${AT}/list-user-passkeys`);

export const removePasskey = (id: string): Promise<void> => ask("POST", `${AT}/delete-passkey`, { id });

export async function addPasskey(name: string): Promise<void> {
  const path = `${AT}/generate-register-options`;
  const { options } = await ask<Offered<PublicKeyCredentialCreationOptionsJSON>>("POST", path);
  const { id, response } = await startRegistration({ optionsJSON: options }).catch(told);
  await ask("POST", `${AT}/verify-registration`, {
    name,
    id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: response.transports ?? [],
  });
}

/** What a passkey is asked at the sign-in. Good for ten minutes, and for one answer. */
export const askForPasskey = async (): Promise<PasskeyQuestion> =>
  (await ask<Offered<PasskeyQuestion>>("POST", `${AT}/generate-authenticate-options`)).options;

type Answer = Awaited<ReturnType<typeof answerTo>>;

async function answerTo(question: PasskeyQuestion, useBrowserAutofill = false) {
  const { id, response } = await startAuthentication({ optionsJSON: question, useBrowserAutofill });
  return {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle && { user_handle: response.userHandle }),
  };
}

/** Asks at once. The question is there before the click: some browsers take none that comes after an answer of ours. */
export const choosePasskey = (question: PasskeyQuestion): Promise<Answer> => answerTo(question).catch(told);

/** Lists passkeys where an address is filled in. Undefined: nothing was chosen, or the browser has no such list. */
export async function offerPasskeys(question: PasskeyQuestion): Promise<Answer | undefined> {
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  return answerTo(question, true).catch(() => undefined);
}

export const withdrawPasskeys = (): void => WebAuthnAbortService.cancelCeremony();

export const signInWithPasskey = (answer: Answer): Promise<unknown> =>
  ask("POST", `${AT}/verify-authentication`, answer);

/** Shows with a passkey that it is still the person who signed in. */
export async function confirmWithPasskey(): Promise<void> {
  const { options } = await ask<Offered<PasskeyQuestion>>("POST", "/auth/confirm/passkey-options");
  await ask("POST", "/auth/confirm", { passkey: await choosePasskey(options) });
}

/** Browsers tell little of why there was no answer, so that pages learn nothing of a person's devices. */
function told(error: unknown): never {
  const name = error instanceof Error ? error.name : "";
  const detail =
    name === "InvalidStateError"
      ? "This device has a passkey of yours already."
      : "No passkey was used: it was cancelled, took too long, or there is none here. Try again.";
  throw new Problem(0, { code: "no_passkey", detail });
}
